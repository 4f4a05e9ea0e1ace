import { probeName } from '../../cassette/write/cassette-names.ts';
import type { Side } from '../../channel/frame.ts';
import type { Cancel, Milliseconds } from '../../kernel/clock.ts';
import type { Upstream } from '../../transports/http/upstream/upstream.ts';
import { redactFinished } from '../redact-file/redact-finished.ts';
import { CassetteWriter, type CassetteWriterOptions } from '../writer/cassette-writer.ts';
import { OpenFilePool } from '../writer/open-file-pool.ts';
import { type SessionFacts, SessionRecording } from './session-recording.ts';

export interface HttpRecorderOptions extends Omit<CassetteWriterOptions, 'about' | 'redactAgain'> {
  upstream: Upstream;
  /** Bodies and events beyond this many bytes are cut. */
  holdBytesMax: number;
  /** Called with the side whose body was cut. */
  cut(from: Side): void;
  /** Idle time after which a session counts as ended. */
  idleMax: Milliseconds;
  /** Of more sessions than this the one that was used least recently ends. */
  sessionsMax?: number;
}

/** So many sessions are known at once. */
export const SESSIONS_MAX: number = 100_000;

/** Sessions of one recorder, and the run: the exchanges outside any session. */
export class RecordedSessions {
  readonly #options: HttpRecorderOptions;
  readonly #openCassettes = new OpenFilePool();
  /** By session id, or by the endpoint of HTTP with SSE, which begins with a slash as no id does. Least recently used first. */
  readonly #sessions = new Map<string, SessionRecording>();
  readonly #ending = new Set<SessionRecording>();
  readonly #idle = new Map<SessionRecording, Cancel>();
  /** State shared by the exchanges outside any session. */
  readonly runFacts: SessionFacts = { revisions: new Set(), isLegacySse: false };
  #run: SessionRecording | undefined;
  #runIsProbe = true;
  /** Something else than `server/discover` was asked in the run. */
  #runIsMore = false;
  #hasBegun = false;

  constructor(options: HttpRecorderOptions) {
    this.#options = options;
  }

  /** Ends every cassette. What passes after that is not recorded. */
  end(reason: string): void {
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

  /** Ends the session of this key. Exchanges still open belong to its end. */
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

  /** Whether all traffic of the run may be discovery alone. */
  get isProbe(): boolean {
    return this.#runIsProbe;
  }

  /** Notes a request of the run that goes beyond discovery. */
  noteRun(): void {
    this.#runIsMore = true;
  }

  /** Makes the run a session: its server serves clients without a session id, or a client called it as stateless. */
  promoteRun(): void {
    this.#runIsProbe = false;
    this.#run?.rename((path) => path);
  }

  /** An exchange joins `session`. */
  enter(session: SessionRecording): number {
    this.#stopWaiting(session);
    return session.join();
  }

  /** Removes an exchange that has ended from its session. */
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
