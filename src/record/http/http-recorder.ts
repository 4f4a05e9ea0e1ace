import { probeName } from '../../cassette/write/cassette-names.ts';
import type { Cancel, Milliseconds } from '../../kernel/clock.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import type { Upstream } from '../../transports/http/upstream/upstream.ts';
import { redactFinished } from '../redact-file/redact-finished.ts';
import { CassetteWriter, type CassetteWriterOptions } from '../writer/cassette-writer.ts';
import { OpenFilePool } from '../writer/open-file-pool.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import type { ExchangeToFramesOptions, SessionFacts } from './exchange-to-frames.ts';
import { SessionRecording } from './session-recording.ts';

export interface HttpRecorderOptions
  extends Omit<CassetteWriterOptions, 'about' | 'redactAgain'>,
    Pick<ExchangeToFramesOptions, 'holdBytesMax' | 'cut'> {
  upstream: Upstream;
  /** A session without an exchange for so long is over. */
  idleMax: Milliseconds;
  /** Of more sessions than this the one that was used least recently ends. */
  sessionsMax?: number;
}

/** So many sessions are known at once. */
export const SESSIONS_MAX: number = 100_000;

/**
 * Writes what passes through a proxy to cassettes, one a session: from the answer that issues its id (or, over HTTP with SSE,
 * from the stream that names its endpoint) to its end, or until it idles. What belongs to no session goes to the run's
 * own cassette, which is `NAME.probe.yaml` as long as it may be of a client that only finds out what there is: it asked for
 * `server/discover`, or was refused. Where no session follows that, it is the session itself, with its ordinary name.
 */
export class HttpRecorder {
  readonly #options: HttpRecorderOptions;
  readonly #openCassettes = new OpenFilePool();
  /** By session id, or by the endpoint of HTTP with SSE, which begins with a slash as no id does. Least recently used first. */
  readonly #sessions = new Map<string, SessionRecording>();
  readonly #ending = new Set<SessionRecording>();
  readonly #idle = new Map<SessionRecording, Cancel>();
  /** What the exchanges that belong to no session have in common. */
  readonly runFacts: SessionFacts = { revisions: new Set(), isLegacySse: false };
  #run: SessionRecording | undefined;
  #runIsProbe = true;
  /** Something else than `server/discover` was asked in the run. */
  #runIsMore = false;
  #hasBegun = false;
  #isOver = false;

  constructor(options: HttpRecorderOptions) {
    this.#options = options;
  }

  /** Begins an exchange: takes its pieces in order. Never throws: traffic is not to suffer from a fault of ours. */
  exchange(): (piece: HttpTrafficEvent) => void {
    const exchange = new ExchangeRecorder(this, this.#options);
    let isBroken = false;
    return (piece) => {
      if (isBroken || this.#isOver) return;
      try {
        exchange.take(piece);
      } catch (error) {
        isBroken = true;
        this.#options.failed(error);
      }
    };
  }

  /** Ends every cassette. What passes after that is not recorded. */
  end(reason: string): void {
    this.#isOver = true;
    for (const cancel of this.#idle.values()) cancel();
    for (const session of [...this.#sessions.values(), ...this.#ending]) session.stop(reason);
    if (this.#runIsProbe && this.#runIsMore && !this.#hasBegun) this.promoteRun();
    this.#run?.stop(reason);
    this.#sessions.clear();
  }

  /** The session of that key, which thereby was used. */
  find(key: string | undefined): SessionRecording | undefined {
    const session = key === undefined ? undefined : this.#sessions.get(key);
    if (key === undefined || session === undefined) return undefined;
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    return session;
  }

  /** A session begins. */
  begin(key: string, facts: SessionFacts): SessionRecording {
    const session = new SessionRecording(this.#writer(), facts);
    this.#sessions.set(key, session);
    this.#hasBegun = true;
    this.#makeRoom();
    return session;
  }

  /** The session of that key is over: what still passes on its exchanges is the last of it. */
  forget(key: string, reason: string): void {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.#sessions.delete(key);
    if (!session.isIdle) this.#ending.add(session);
    this.#stopWaiting(session);
    session.end(reason);
  }

  /** What belongs to no session. */
  run(): SessionRecording {
    if (this.#run === undefined) {
      this.#run = new SessionRecording(this.#writer(), this.runFacts);
      this.#run.rename(probeName);
    }
    return this.#run;
  }

  /** Whether all that the run itself has seen may have been a client finding out what there is. */
  get isProbe(): boolean {
    return this.#runIsProbe;
  }

  /** In the run something was asked that is no question what the server can do. */
  noteRun(): void {
    this.#runIsMore = true;
  }

  /** The run itself has shown to be a session: its server answers those who have none, or was asked as one that has none. */
  promoteRun(): void {
    this.#runIsProbe = false;
    this.#run?.rename((path) => path);
  }

  /** An exchange joins `session`. */
  enter(session: SessionRecording): number {
    this.#stopWaiting(session);
    return session.join();
  }

  /** An exchange of `session`, whose key is `key`, is over. */
  leave(session: SessionRecording, key: string | undefined): void {
    session.leave();
    if (!session.isIdle) return;
    this.#ending.delete(session);
    if (key === undefined || this.#sessions.get(key) !== session) return;
    const { clock, idleMax } = this.#options;
    this.#idle.set(
      session,
      clock.after(idleMax, () => this.forget(key, 'idle')),
    );
  }

  #stopWaiting(session: SessionRecording): void {
    this.#idle.get(session)?.();
    this.#idle.delete(session);
  }

  #makeRoom(): void {
    const { sessionsMax = SESSIONS_MAX } = this.#options;
    if (this.#sessions.size <= sessionsMax) return;
    for (const [key, session] of this.#sessions) {
      if (session.isIdle && this.#idle.has(session)) return this.forget(key, 'idle');
    }
  }

  #writer(): CassetteWriter {
    const { open, named, clock, gap, redactor, failed, finished, upstream } = this.#options;
    const about = { transport: 'http', url: upstream.origin + upstream.path } as const;
    const openCassettes = this.#openCassettes;
    const told = { failed, ...(finished && { finished }), ...(named && { named }) };
    return new CassetteWriter({
      open,
      clock,
      gap,
      redactor,
      redactAgain: redactFinished,
      ...told,
      about,
      openCassettes,
    });
  }
}
