import { test as base, type TestAPI, type TestContext } from 'vitest';
import { McpRecordError } from '../kernel/errors.ts';
import type { Server } from '../modes/server.ts';
import { openSession, type Session, type SessionOptions } from '../modes/session.ts';
import { cassetteName } from './cassette-name.ts';
import { fellShort } from './fell-short.ts';
import { type SdkTransport, sessionTransport } from './sdk.ts';

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
   * A transport for the test's own SDK client. The first run talks to the live server and records; later runs replay. When the
   * test is over, what it asked and the tape did not have fails it, and what a failed test recorded is not kept.
   * @throws McpRecordError as `openSession`, and CASSETTE_CLAIMED where another test has the same cassette
   */
  connect(server: Server, options?: ConnectOptions): Promise<SdkTransport>;
  /** The sessions that were opened, in order. */
  sessions: readonly Session[];
}

/** vitest's `test`, with the fixture `mcp`. */
export const test: TestAPI<{ mcp: Mcp }> = base.extend<{ mcp: Mcp }>({
  mcp: async ({ task }, use) => {
    const sessions = new Sessions(task);
    await use(sessions);
    await sessions.finish();
  },
}) as TestAPI<{ mcp: Mcp }>;

type Task = TestContext['task'];

/** Cassette → the test that has it, in this process. */
const claims = new Map<string, string>();

class Sessions implements Mcp {
  readonly sessions: Session[] = [];
  readonly #task: Task;
  readonly #cassettes: string[] = [];

  constructor(task: Task) {
    this.#task = task;
  }

  async connect(server: Server, options: ConnectOptions = {}): Promise<SdkTransport> {
    const { name, cassette = this.#cassetteName(name), ...rest } = options;
    this.#claim(cassette);
    this.#cassettes.push(cassette);
    const session = await openSession({ onUnused: 'fail', ...rest, cassette, server, update: isUpdate() });
    this.sessions.push(session);
    return sessionTransport(session);
  }

  /** Ends the sessions; the first that fell short fails the test, unless it has failed for a reason of its own. */
  async finish(): Promise<void> {
    const passed = this.#task.result?.state !== 'fail';
    const outcomes = await Promise.all(this.sessions.map((session) => session.finish({ passed })));
    const index = outcomes.findIndex(({ failed }) => failed);
    if (passed && index >= 0) throw fellShort(this.#cassettes[index]!, outcomes[index]!);
  }

  #cassetteName(name: string | undefined): string {
    const count = this.#cassettes.length + 1;
    const session = name ?? (count === 1 ? undefined : count);
    const file = this.#task.file.filepath;
    return cassetteName({ file, names: namesOf(this.#task), ...(session !== undefined && { session }) });
  }

  #claim(cassette: string): void {
    const owner = claims.get(cassette);
    if (owner !== undefined && owner !== this.#task.id) throw claimed(cassette);
    if (this.#cassettes.includes(cassette)) throw claimed(cassette);
    claims.set(cassette, this.#task.id);
  }
}

function namesOf(task: Task): string[] {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names;
}

/** `vitest -u`. */
function isUpdate(): boolean {
  const worker = (
    globalThis as { __vitest_worker__?: { config?: { snapshotOptions?: { updateSnapshot?: string } } } }
  ).__vitest_worker__;
  return worker?.config?.snapshotOptions?.updateSnapshot === 'all';
}

function claimed(cassette: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_CLAIMED',
    what: `Cannot use ${cassette}`,
    why: 'another session of this run has it: two tests have one name, or two sessions of a test do',
    next: 'Give the tests different names, or the sessions: mcp.connect(server, { name: "second" }).',
  });
}
