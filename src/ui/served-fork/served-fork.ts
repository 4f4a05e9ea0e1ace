import { basename } from 'node:path';
import { nextName } from '../../cassette/write/cassette-file.ts';
import type { ForkUpdate } from '../../html-report/data/live/verification-and-mock-types.ts';
import type { ShownProblem } from '../../html-report/data/live-page-protocol.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { HttpListener } from '../../transports/http/server/http-listener.ts';
import { LineDecoder } from '../../transports/stdio/line-decoder.ts';
import type { Parent } from '../../transports/stdio/parent-channel.ts';
import { shownProblem } from '../verification/shown-problem.ts';
import type { ForkedSession, PrepareFork } from './prepare-fork-types.ts';

/** Maximum number of notes that a page shows: the server may write much on standard error. */
const NOTES_MAX = 50;
const BODY_BYTES_MAX = 64 * 1024 * 1024;

export interface ServedForkOptions {
  /** Path of the cassette, and the last line to play. */
  file: string;
  line: number;
  /** Whether the cassette answers the client up to the line. Otherwise, the client begins there. */
  withClient: boolean;
  prepare: PrepareFork;
  clock: Clock;
  /** Redacts what pages show of the server's standard error. */
  redact(text: string): string;
  /** Makes an unguessable session id. */
  newSession(): string;
  /** Called after each change. */
  changed(): void;
}

/**
 * Starts a fork for one client over HTTP, at a free port of this machine. It is recorded beside its cassette.
 * @throws McpRecordError as `PrepareFork`, HTTP_CANNOT_LISTEN
 */
export async function startServedFork(options: ServedForkOptions): Promise<ServedFork> {
  const { file, line, withClient, prepare, clock, newSession, redact } = options;
  const output = nextName(file.replace(/(?:\.yaml)?$/, '-fork.yaml'));
  const fork = new ServedFork(options, basename(output));
  const session = await prepare({ file, line, withClient, output, say: fork.note });
  const [{ HttpParent }, { listen }, { SSE_ENDPOINT, SSE_PATH }] = await Promise.all([
    import('../../fork/http-parent.ts'),
    import('../../transports/http/server/http-listener.ts'),
    import('../../replay/http/legacy-sse-server.ts'),
  ]);
  const { prefix, report } = session;
  const parent = new HttpParent({ cassette: prefix, own: standardErrorOf(fork, redact), clock, newSession, report });
  const listener = await listen({
    ...{ hostname: '127.0.0.1', port: 0, path: '/mcp', otherPaths: [SSE_PATH, SSE_ENDPOINT], allowed: [] },
    bodyMax: BODY_BYTES_MAX,
    refused: (request, why) => fork.note(`refused ${request}: ${why}`),
    serve: (request, responder) => {
      fork.noteClient();
      return parent.serve(request, responder);
    },
  });
  fork.begin({ session, listener, parent, leave: () => parent.leave() });
  return fork;
}

interface BegunFork {
  session: ForkedSession;
  listener: HttpListener;
  parent: Parent;
  /** Ends the client's side. */
  leave(): void;
}

/** A fork of a cassette, as pages watch it. */
export class ServedFork {
  isOpen = false;
  #hasClient = false;
  /** Number of changes. */
  version = 0;
  #url = '';
  #problem: ShownProblem | undefined;
  readonly #notes: string[] = [];
  readonly #options: Pick<ServedForkOptions, 'file' | 'line' | 'changed'>;
  readonly #output: string;
  #leave = () => {};
  #ended: Promise<void> = Promise.resolve();

  constructor(options: Pick<ServedForkOptions, 'file' | 'line' | 'changed'>, output: string) {
    this.#options = options;
    this.#output = output;
  }

  /** Returns the fork as a page shows it. */
  get shown(): ForkUpdate {
    const { line } = this.#options;
    const [isOpen, hasClient, problem] = [this.isOpen, this.#hasClient, this.#problem];
    const beside = { url: this.#url, output: this.#output, notes: [...this.#notes] };
    return { isOpen, line, hasClient, ...beside, ...(problem && { problem }) };
  }

  begin({ session, listener, parent, leave }: BegunFork): void {
    this.#url = listener.url;
    this.isOpen = true;
    this.#leave = leave;
    this.#ended = this.#play(session, parent).then(() => listener.close());
  }

  /** Notes that a client has sent a request. */
  noteClient(): void {
    if (this.#hasClient) return;
    this.#hasClient = true;
    this.#change();
  }

  /** Notes what the user of the client should know. */
  readonly note = (text: string): void => {
    const { file } = this.#options;
    if (this.#notes.push(text.replaceAll(file, basename(file))) > NOTES_MAX) this.#notes.shift();
    this.#change();
  };

  /** Ends the client's side. Resolves when the server has ended, and the new cassette is whole. */
  async stop(): Promise<void> {
    if (this.isOpen) this.#leave();
    await this.#ended;
  }

  async #play({ run }: ForkedSession, parent: Parent): Promise<void> {
    try {
      const problem = await run(parent);
      this.#problem = problem && shownProblem(problem);
    } catch (error) {
      this.#problem = shownProblem(error);
    }
    this.isOpen = false;
    this.#change();
  }

  #change(): void {
    this.version += 1;
    this.#options.changed();
  }
}

/** Returns a parent process that notes what the server writes on standard error. */
function standardErrorOf({ note }: Pick<ServedFork, 'note'>, redact: ServedForkOptions['redact']): Parent {
  const lines = new LineDecoder({
    from: 'server',
    on: 'stderr',
    line: ({ data }) => note(redact(`${Buffer.from(data)}`)),
  });
  return {
    listen() {},
    send(frame) {
      if (frame.kind === 'bytes') lines.write(frame.data, frame.at);
      return true;
    },
    drained: (_stream, resume) => resume(),
    pause() {},
    resume() {},
    flushed: (done) => done(),
  };
}

/** Cursor of one page in a fork: it returns the updates that the page lacks. */
export class ForkCursor {
  #of: ServedFork | undefined;
  #version = -1;

  /** Returns the next update. Undefined: the page is up to date. */
  next(fork: ServedFork | undefined): ForkUpdate | undefined {
    if (fork === undefined || (fork === this.#of && fork.version === this.#version)) return undefined;
    this.#of = fork;
    this.#version = fork.version;
    return fork.shown;
  }
}
