import type { Ground } from '../faults/fault.ts';
import type { ManualClock } from '../kernel/manual-clock.ts';
import { type FaultRule, rulesFor } from '../modes/misbehaving.ts';
import type { Server } from '../modes/server.ts';
import { openSession, type Session, type SessionOptions } from '../modes/session.ts';
import type { Request } from '../protocol/message.ts';
import type { Finding } from '../replay/finding.ts';
import type { Outcome } from '../report/outcome.ts';
import { type CassetteOwner, claim, noteUse } from './claims.ts';
import type { FetchEndpoint } from './endpoint.ts';
import { fellShort } from './fell-short.ts';
import {
  type HttpMockServer,
  type HttpOptions,
  type MemoryOptions,
  type MemoryServer,
  type MisbehaveOptions,
  type MockServer,
  mockServer,
  type StdioOptions,
  type StdioServer,
} from './mock-server.ts';
import { type SdkTransport, sessionTransport } from './sdk-transport.ts';
import { testClock } from './test-clock.ts';
import { type TestedServer, type VerifyOptions, verifyServer } from './verify-server.ts';

/** How a session of a test differs from the others. */
export interface ConnectOptions extends Omit<SessionOptions, 'cassette' | 'server' | 'update' | 'clock'> {
  /** Tells the sessions of one test apart, beside their number. */
  name?: string;
  /** Path of the cassette, in place of the one that the test's name makes. */
  cassette?: string;
}

/** What a test has of mcp-record. */
export interface Mcp {
  /**
   * A transport for the test's own SDK client. The first run talks to the live server and records; later runs replay. When
   * the test is over, what it asked and the tape did not have fails it, and what a failed test recorded is not kept.
   * @throws McpRecordError as `openSession`, and CASSETTE_CLAIMED where another test has the same cassette
   */
  connect(server: Server, options?: ConnectOptions): Promise<SdkTransport>;
  /** The recorded server of a cassette: in this process, over HTTP, or as a command line. Ends with the test. */
  server(cassette: string, options?: MemoryOptions): Promise<MemoryServer>;
  server(cassette: string, options: HttpOptions): Promise<HttpMockServer>;
  server(cassette: string, options: StdioOptions): Promise<StdioServer>;
  /**
   * Plays the recorded client of a cassette to the test's own server.
   * @throws McpRecordError SESSION_DIFFERS where the server does not answer as on tape
   */
  client(cassette: string, server: TestedServer, options?: VerifyOptions): Promise<Outcome>;
  /**
   * Makes an endpoint of MSW or nock this test's own: it ends with the test and fails it as a server of `mcp.server` does,
   * and what a failed test recorded is not kept.
   * @throws McpRecordError CASSETTE_CLAIMED where it records, and another test has the same cassette
   */
  own<Kind extends FetchEndpoint>(endpoint: Kind): Kind;
  /**
   * These faults happen from now on, in the sessions that are open and those to come; none: all goes well again. One that
   * never happens fails the test.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  faults(rules: readonly FaultRule[]): void;
  /** Time in the test's own hands, for replay and faults of the sessions to come: it passes by `advance` alone. */
  clock(): ManualClock;
  /** The sessions that were opened, in order. */
  sessions: readonly Session[];
  /** The requests that all clients of the test have made, by session. */
  received(method?: string): Request[];
}

/** An `Mcp` outside of vitest, whose end is told. */
export interface OwnMcp extends Mcp {
  /**
   * Ends all that was begun.
   * @throws McpRecordError SESSION_FELL_SHORT where something did not go as on tape, and the test itself has passed
   */
  finish(run: { passed: boolean }): Promise<void>;
}

/** What `mcp` is for a test of any runner. Call `finish` when the test is over. */
export function openMcp(owner: CassetteOwner): OwnMcp {
  return new TestMcp(owner);
}

/** More than any wait: what a clock of the test still holds back is let go. */
const ALL_TIME = 2 ** 40;

class TestMcp implements OwnMcp {
  readonly sessions: Session[] = [];
  readonly #owner: CassetteOwner;
  /** The cassette of each session, and those among them that are this test's own. */
  readonly #cassettes: string[] = [];
  readonly #own: string[] = [];
  readonly #servers: MockServer[] = [];
  readonly #endpoints: FetchEndpoint[] = [];
  readonly #heard: Pick<Session, 'received'>[] = [];
  /** Where they are. */
  readonly #grounds = new Set<Ground>();
  #rules: readonly FaultRule[] = [];
  #hadRules = false;
  #clock: ManualClock | undefined;

  constructor(owner: CassetteOwner) {
    this.#owner = owner;
  }

  async connect(server: Server, options: ConnectOptions = {}): Promise<SdkTransport> {
    const { name, cassette: own, ...rest } = options;
    const { cassette, update } = claim(this.#owner, this.#own, { name, cassette: own });
    this.#own.push(cassette);
    const usual = this.#usual(rest.faults);
    const session = await openSession({ ...usual, ...rest, cassette, server, update });
    this.#add(session, cassette);
    return sessionTransport(session);
  }

  server(cassette: string, options?: MemoryOptions): Promise<MemoryServer>;
  server(cassette: string, options: HttpOptions): Promise<HttpMockServer>;
  server(cassette: string, options: StdioOptions): Promise<StdioServer>;
  async server(
    cassette: string,
    options: MemoryOptions | HttpOptions | StdioOptions = {},
  ): Promise<MemoryServer | HttpMockServer | StdioServer> {
    noteUse(cassette);
    const { clock, ...usual } = this.#usual(options.faults);
    // A process has its own time.
    if (options.over === 'stdio')
      return this.#keep(await mockServer(cassette, { ...usual, ...options }), 'stdio');
    const timed = { ...usual, ...(clock && { clock }) };
    if (options.over === 'http') {
      const server = this.#keep(await mockServer(cassette, { ...timed, ...options }), 'http');
      this.#heard.push(server);
      return server;
    }
    const server = await mockServer(cassette, { ...timed, ...options });
    this.#add(server.session, cassette);
    return server;
  }

  client(cassette: string, server: TestedServer, options: VerifyOptions = {}): Promise<Outcome> {
    noteUse(cassette);
    return verifyServer(cassette, server, options);
  }

  own<Kind extends FetchEndpoint>(endpoint: Kind): Kind {
    const { mode, cassette } = endpoint;
    if (mode === 'record') claim(this.#owner, this.#own, { name: undefined, cassette });
    this.#endpoints.push(endpoint);
    this.#heard.push(endpoint);
    return endpoint;
  }

  faults(rules: readonly FaultRule[]): void {
    rulesFor(rules);
    for (const ground of this.#grounds) rulesFor(rules, ground);
    this.#rules = rules;
    this.#hadRules = true;
    for (const one of [...this.sessions, ...this.#servers]) one.misbehave(rules);
  }

  clock(): ManualClock {
    this.#clock ??= testClock();
    return this.#clock;
  }

  received(method?: string): Request[] {
    return this.#heard.flatMap((one) => one.received(method));
  }

  async finish({ passed }: { passed: boolean }): Promise<void> {
    const ending = this.sessions.map((session) => session.finish({ passed }));
    this.#clock?.advance(ALL_TIME);
    const outcomes = await Promise.all(ending);
    const served = await Promise.all(this.#servers.map((server) => server.finish()));
    const ended = this.#endpoints.map(({ mode, cassette, finish }) => ({
      mode,
      cassette,
      ...finish({ passed }),
    }));
    const used = [...outcomes.map((outcome, n) => ({ ...outcome, cassette: this.#cassettes[n]! })), ...ended];
    this.#owner.told?.(used.map(({ cassette, mode, written, kept }) => ({ cassette, mode, written, kept })));
    const all = [
      ...used,
      ...served.map((outcome, n) => ({ ...outcome, cassette: this.#servers[n]!.cassette })),
    ];
    const silent = all.find(({ findings }) => findings.some(({ kind }) => kind === 'missing'));
    // A server that never spoke is why the test failed, if it did.
    if (silent) throw fellShort(silent.cassette, silent);
    if (!passed) return;
    const failed = all.find((outcome) => outcome.failed);
    if (failed) throw fellShort(failed.cassette, failed);
    const unfired = unfiredIn([...outcomes, ...served].map(({ findings }) => findings));
    if (this.#hadRules && unfired.length > 0) throw fellShort(all[0]!.cassette, { findings: unfired });
  }

  /** What a session is where the test does not say otherwise: a fault leaves much of a tape unused. */
  #usual(
    own: readonly FaultRule[] | undefined,
  ): MisbehaveOptions & Pick<SessionOptions, 'onUnused' | 'clock'> {
    const misbehaves = own !== undefined || this.#rules.length > 0;
    return {
      onUnused: misbehaves ? 'report' : 'fail',
      ...(own === undefined && { faults: this.#rules, onUnfired: 'report' }),
      ...(this.#clock && { clock: this.#clock }),
    };
  }

  #add(session: Session, cassette: string): void {
    this.sessions.push(session);
    this.#grounds.add('memory');
    this.#heard.push(session);
    this.#cassettes.push(cassette);
  }

  #keep<Kind extends MockServer>(server: Kind, ground: Ground): Kind {
    this.#grounds.add(ground);
    this.#servers.push(server);
    return server;
  }
}

/** What fired in none of the sessions. */
function unfiredIn(findings: readonly Finding[][]): Finding[] {
  const [first = [], ...rest] = findings.map((all) => all.filter(({ kind }) => kind === 'unfired'));
  return first.filter(({ text }) => rest.every((others) => others.some((other) => other.text === text)));
}
