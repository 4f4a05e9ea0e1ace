import type { CassetteSource } from '../../cassette/cassette.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { JoinedJournal } from '../../journal/joined-journal.ts';
import { type Journal, requestsOf } from '../../journal/journal.ts';
import { waitNotAwaited } from '../../journal/wait-for.ts';
import { changingClock, systemClock } from '../../kernel/clock.ts';
import { ManualClock } from '../../kernel/manual-clock.ts';
import { type FetchEndpoint, notAnEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import type { Server } from '../../modes/connect-to-server.ts';
import type { FaultRule } from '../../modes/faulty-channel.ts';
import { openSession, type Session, type SessionOptions, type SessionOutcome } from '../../modes/open-session.ts';
import { checkOptions, checkSecondOptions } from '../../modes/validate-api-options.ts';
import type { Request } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { Outcome } from '../../text-report/outcome-model.ts';
import { isCassette } from '../endpoint/handlers-only-endpoint.ts';
import { type MockClient, type MockClientOptions, mockClient } from '../mock-client/mock-client.ts';
import type { TestedServer } from '../mock-client/open-server-under-test.ts';
import { mockServer } from '../mock-server/mock-server.ts';
import type {
  GivenOptions,
  HttpMockServer,
  HttpOptions,
  MemoryOptions,
  MemoryServer,
  MisbehaveOptions,
  MockServer,
  StartMockServer,
  StdioOptions,
  StdioServer,
} from '../mock-server/mock-server-types.ts';
import { notingReads, ReadOutcomes } from '../mock-server/raise-unread-failures.ts';
import { carryingRules } from '../rerecord/carry-match-rules.ts';
import { type SdkTransport, sessionTransport } from '../sdk/channel-transport.ts';
import { PromisesOfTest } from '../test-end/await-forgotten-promises.ts';
import { claimAcrossProcesses } from './claim-across-processes.ts';
import { type CassetteOwner, claimCassette, noteUse } from './claim-test-cassette.ts';
import { FaultsOfTest } from './faults-of-test.ts';
import type { ConnectOptions, OwnMcp } from './mcp-types.ts';
import { notesOnCassettes, notesOnToleratedFindings, printRecordingNotes, warnOnce } from './print-test-notes.ts';
import { resolveCassettePath } from './resolve-beside-test-file.ts';
import {
  clockTooLate,
  failedSessionsError,
  notesOnFaults,
  outcomeOfEndpoint,
  recordingKept,
  sessionFailedError,
  silentServerError,
  type TestEnd,
  unfiredIn,
} from './session-failed-error.ts';
import { type VerifyOptions, verifyServer } from './verify-server.ts';

/** A time longer than any wait. Advancing a test's clock by it fires all timers. */
const ALL_TIME = 2 ** 40;

/** The `mcp` fixture of a test in any runner. */
export class TestMcp implements OwnMcp {
  readonly sessions: Session[] = [];
  readonly #owner: CassetteOwner;
  /** Cassette of each session, and the cassettes owned by this test. */
  readonly #cassettes: string[] = [];
  readonly #own: string[] = [];
  /** Whether each session can reach a live server, and follows MCP_RECORD. */
  readonly #canAdd: boolean[] = [];
  /** Functions that end the sessions and return their outcomes. */
  readonly #endSession: ((run: { passed: boolean }) => Promise<SessionOutcome>)[] = [];
  readonly #servers: { server: MockServer; end(): Promise<ReplayOutcome> }[] = [];
  /** Functions that end the mock clients. */
  readonly #clients: (() => Promise<ReplayOutcome>)[] = [];
  readonly #outcomes = new ReadOutcomes();
  /** Failures that servers found before a reset. */
  readonly #beforeReset = new Set<{ cassette: string; findings: Finding[]; failures: Finding[]; failed: boolean }>();
  readonly #endpoints: FetchEndpoint[] = [];
  readonly #promises = new PromisesOfTest();
  readonly #heard: JoinedJournal;
  readonly #faults = new FaultsOfTest();
  #clock: ManualClock | undefined;

  constructor(owner: CassetteOwner) {
    this.#owner = owner;
    // Each wait uses the current clock: the test may install one later.
    this.#heard = new JoinedJournal(changingClock(() => this.#clock ?? systemClock));
  }

  get journal(): Journal {
    return this.#heard.journal;
  }

  /** Whether the test has opened a session, server, client or endpoint. */
  get isUsed(): boolean {
    return this.#promises.count > 0 || this.#endpoints.length > 0;
  }

  readonly server: StartMockServer = ((given, more) =>
    this.#promises.give(this.#server(given, more))) as StartMockServer;

  connect(server: Server, options: ConnectOptions = {}): Promise<SdkTransport> {
    return this.#promises.give(this.#connect(server, options));
  }

  async #connect(server: Server, options: ConnectOptions): Promise<SdkTransport> {
    const { name, cassette: own, ...rest } = checkOptions(options);
    const claimed = { name, cassette: own === undefined ? undefined : this.#at(own) };
    const { cassette, update } = claimCassette(this.#owner, this.#own, claimed);
    this.#own.push(cassette);
    const usual = this.#usual(rest.faults);
    const opened = await openSession({ onUnused: 'fail', ...usual, ...rest, cassette, server, update }, carryingRules);
    const session = this.#faults.reporting(opened, rest);
    warnOnce(session.warnings);
    this.#add(session, cassette, session.journal, (run) => session.finish(run));
    this.#canAdd.push(rest.mode === undefined);
    if (own !== undefined && session.mode === 'record') claimAcrossProcesses(this.#owner, cassette);
    return sessionTransport(session);
  }

  async #server(
    given: CassetteSource | GivenOptions = {},
    more: MemoryOptions | HttpOptions | StdioOptions = {},
  ): Promise<MemoryServer | HttpMockServer | StdioServer> {
    checkSecondOptions(isCassette(given), more);
    const { cassette: named, ...options } = isCassette(given) ? { ...more, cassette: given } : given;
    const cassette = named === undefined ? {} : { cassette: this.#used(named) };
    const { clock, ...usual } = this.#usual(options.faults);
    // A separate process uses the system clock.
    const reporting = <Kind extends MockServer>(server: Kind) => this.#faults.reporting(server, options);
    if (options.over === 'stdio')
      return this.#keep(reporting(await mockServer({ ...usual, ...options, ...cassette })), 'stdio');
    const timed = { ...usual, ...(clock && { clock }), ...cassette };
    if (options.over === 'http') return this.#keep(reporting(await mockServer({ ...timed, ...options })), 'http');
    const server = reporting(await mockServer({ ...timed, ...options }));
    const end = this.#outcomes.watch(server);
    this.#add(server.session, server.cassette, server.journal, async (run) => {
      // Ends the handlers first, so that unfinished ones are reported before their session ends.
      const ended = await end();
      return { ...(await server.session.finish(run)), ...ended };
    });
    this.#canAdd.push(false);
    return this.#following(server);
  }

  client(named: CassetteSource, server: TestedServer, options: VerifyOptions = {}): Promise<Outcome> {
    return this.#promises.give(verifyServer(this.#used(named), server, options));
  }

  mockClient(options: MockClientOptions): Promise<MockClient> {
    return this.#promises.give(this.#mockClient(options));
  }

  async #mockClient(options: MockClientOptions): Promise<MockClient> {
    const { cassette } = checkOptions(options);
    const used = { ...options, ...(cassette !== undefined && { cassette: this.#used(cassette) }) };
    const client = await mockClient({ ...(this.#clock && { clock: this.#clock }), ...used });
    this.#clients.push(this.#outcomes.watch(client));
    return client;
  }

  own<Kind extends FetchEndpoint>(endpoint: Kind): Kind {
    if (typeof (endpoint as Partial<FetchEndpoint> | undefined)?.mode !== 'string') throw notAnEndpoint();
    const { mode, cassette } = endpoint;
    if (mode === 'record') {
      claimCassette(this.#owner, this.#own, { name: undefined, cassette });
      claimAcrossProcesses(this.#owner, cassette);
    }
    this.#endpoints.push(endpoint);
    if (endpoint.hasEnded) endpoint.reset();
    this.#heard.add(endpoint.journal);
    return endpoint;
  }

  faults(rules: readonly FaultRule[]): void {
    this.#faults.set(rules);
    for (const one of [...this.sessions, ...this.#servers.map(({ server }) => server)]) one.misbehave(rules);
  }

  clock(): ManualClock {
    if (this.#clock === undefined) {
      if (this.#promises.count > 0) throw clockTooLate();
      this.#clock = new ManualClock(systemClock.date());
      // Turns of the event loop pass in real time.
      this.#clock.endOfTurn = systemClock.endOfTurn;
    }
    return this.#clock;
  }

  received(method?: string): Request[] {
    return requestsOf(this.journal, method);
  }

  async finish(run: TestEnd): Promise<void> {
    const [waited] = this.journal.waiting;
    const fired = [...this.sessions, ...this.#servers.map(({ server }) => server)].flatMap((one) => one.fired);
    const forgotten = run.passed ? await this.#promises.failure() : undefined;
    const passed = run.passed && forgotten === undefined;
    const leaving = this.#clients.map((end) => end());
    const ending = this.#endSession.map((end) => end({ passed }));
    this.#clock?.advance(ALL_TIME);
    const driven = (await Promise.all(leaving)).map((outcome) => ({ ...outcome, cassette: '', isOfClient: true }));
    const outcomes = await Promise.all(ending);
    const served = await Promise.all(this.#servers.map(({ end }) => end()));
    const ended = this.#endpoints.map((endpoint) => outcomeOfEndpoint(endpoint, passed));
    const used = [
      ...outcomes.map((outcome, n) => ({ ...outcome, cassette: this.#cassettes[n]!, canAdd: this.#canAdd[n] })),
      ...ended,
    ];
    printRecordingNotes([...used.flatMap(({ notes = [] }) => notes), ...notesOnFaults(run, fired)]);
    this.#owner.onCassettesUsed?.(used.map(({ cassette, mode, written, kept }) => ({ cassette, mode, written, kept })));
    if (forgotten !== undefined) throw forgotten.error;
    const now = [
      ...driven,
      ...used,
      ...served.map((outcome, n) => ({ ...outcome, cassette: this.#servers[n]!.server.cassette })),
    ];
    const all = [...this.#beforeReset, ...now];
    printRecordingNotes(notesOnCassettes(all));
    const silent = silentServerError(all, passed);
    if (silent) throw silent;
    const [kept] = used.flatMap(({ cassette, kept: recording }) => (recording ? [{ cassette, recording }] : []));
    const failed = failedSessionsError(all, run);
    if (failed) throw failed;
    if (!passed && kept) throw recordingKept(kept);
    if (!passed) return;
    if (waited !== undefined) throw waitNotAwaited(waited);
    const unfired = unfiredIn([...outcomes, ...served].map(({ findings }) => findings));
    if (this.#faults.wereSet && unfired.length > 0) throw sessionFailedError(all[0]!.cassette, { findings: unfired });
    printRecordingNotes(now.flatMap((outcome) => notesOnToleratedFindings(outcome)));
  }

  /** Returns the path of a cassette named in the test. */
  #at<Source extends CassetteSource>(cassette: Source): Source {
    return resolveCassettePath(cassette, this.#owner.file);
  }

  #used(named: CassetteSource): CassetteSource {
    const cassette = this.#at(named);
    if (typeof cassette === 'string') noteUse(cassette);
    return cassette;
  }

  /** Returns the default options of a session. Under faults, a client is expected to deviate from the cassette. */
  #usual(own?: readonly FaultRule[]): MisbehaveOptions & Pick<SessionOptions, 'onUnused' | 'onDifference' | 'clock'> {
    const misbehaves = (own ?? this.#faults.rules).length > 0;
    return {
      ...(misbehaves && { onUnused: 'report', onDifference: 'report' }),
      ...(own === undefined && { faults: this.#faults.rules, onUnfired: 'report' }),
      ...(this.#clock && { clock: this.#clock }),
    };
  }

  /** Updates `sessions` on a reset, which opens a new session. */
  #following(server: MemoryServer): MemoryServer {
    const { reset } = this.#keepingFailures(server);
    server.reset = async () => {
      const index = this.sessions.indexOf(server.session);
      const outcome = await reset();
      this.sessions[index] = server.session;
      if (this.#faults.wereSet) server.misbehave(this.#faults.rules);
      return outcome;
    };
    return server;
  }

  /**
   * Keeps the failures that a server found before a reset. They fail the test, unless the test reads them. Unused
   * entries and unfired rules are left out, because they may be used after the reset.
   */
  #keepingFailures<Kind extends MockServer>(server: Kind): Kind {
    const { reset } = server;
    server.reset = async () => {
      const outcome = await reset();
      const failures = outcome.failures.filter(({ kind }) => kind !== 'unused' && kind !== 'unfired');
      const kept = { cassette: server.cassette, findings: failures, failures, failed: true };
      if (failures.length > 0) this.#beforeReset.add(kept);
      return notingReads(outcome, () => this.#beforeReset.delete(kept));
    };
    return server;
  }

  #add(
    session: Session,
    cassette: string,
    journal: Journal,
    end: (run: { passed: boolean }) => Promise<SessionOutcome>,
  ): void {
    this.sessions.push(session);
    this.#endSession.push(end);
    this.#faults.addTransport('memory');
    this.#heard.add(journal);
    this.#cassettes.push(cassette);
  }

  #keep<Kind extends MockServer>(server: Kind, transport: FaultTransport): Kind {
    this.#faults.addTransport(transport);
    this.#servers.push({ server, end: this.#outcomes.watch(server) });
    this.#heard.add(server.journal);
    return this.#keepingFailures(server);
  }
}
