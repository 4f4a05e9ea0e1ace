import { probeName } from '../../cassette/write/cassette-names.ts';
import type { Side } from '../../channel/frame.ts';
import type { Cancel, Milliseconds } from '../../kernel/clock.ts';
import type { BodyMemory, CutReason } from '../../transports/http/http1/body-memory.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { AuthorizationRecorder } from '../authorization/authorization-recorder.ts';
import type { PassingCredentials } from '../authorization/passing-credentials.ts';
import { redactFinished } from '../redact-file/redact-finished.ts';
import { CassetteWriter, type CassetteWriterOptions } from '../writer/cassette-writer.ts';
import { OpenFilePool } from '../writer/open-file-pool.ts';
import { SessionExchangesWriter, type SessionFacts } from './session-exchanges-writer.ts';

export interface HttpRecorderOptions extends Omit<CassetteWriterOptions, 'about' | 'redactAgain'> {
  upstream: Upstream;
  /** Bodies and events beyond this many bytes are cut. */
  holdBytesMax: number;
  /** Memory of bodies, shared with other recorders. Absent: this one has its own. */
  memory?: BodyMemory;
  /** Called with the side whose body was cut. */
  cut(from: Side, reason: CutReason): void;
  /** Idle time after which a session counts as ended. */
  idleMax: Milliseconds;
  /** Recorder of authorization flows, whose exchanges the cassettes keep. Absent: they are not kept. */
  authorization?: AuthorizationRecorder | undefined;
  /** Credentials that the cassettes of several recorders must not have. Absent: those that pass this recorder only. */
  credentials?: PassingCredentials | undefined;
  /** Maximum number of known sessions. Beyond it, the least recently used one ends. */
  sessionsMax?: number;
}

/** Default of `sessionsMax`. */
export const SESSIONS_MAX: number = 100_000;

/** Sessions of one recorder, and the run: the exchanges outside any session. */
export class RecordedSessions {
  readonly #options: HttpRecorderOptions;
  readonly #openCassettes = new OpenFilePool();
  /**
   * Sessions by session id, or by the endpoint of HTTP with SSE, which begins with a slash, unlike any id. Least
   * recently used first.
   */
  readonly #sessions = new Map<string, SessionExchangesWriter>();
  readonly #ending = new Set<SessionExchangesWriter>();
  readonly #idle = new Map<SessionExchangesWriter, Cancel>();
  /** State shared by the exchanges outside any session. */
  readonly runFacts: SessionFacts = { revisions: new Set(), isLegacySse: false };
  #run: SessionExchangesWriter | undefined;
  #runIsProbe = true;
  /** Whether the run contains any request beside `server/discover`. */
  #runIsMore = false;
  #hasBegun = false;

  constructor(options: HttpRecorderOptions) {
    this.#options = options;
  }

  /** Ends every cassette. Later traffic is not recorded. */
  end(reason: string): void {
    for (const cancel of this.#idle.values()) cancel();
    this.#writeLastAuthorization();
    for (const session of [...this.#sessions.values(), ...this.#ending]) session.stop(reason);
    if (this.#runIsProbe && this.#runIsMore && !this.#hasBegun) this.promoteRun();
    this.#run?.stop(reason);
    this.#sessions.clear();
  }

  /** Returns the session of a key, and marks it as used. */
  find(key: string | undefined): SessionExchangesWriter | undefined {
    const session = key === undefined ? undefined : this.#sessions.get(key);
    if (key === undefined || session === undefined) return undefined;
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    return session;
  }

  /** Starts a session. */
  begin(key: string, facts: SessionFacts): SessionExchangesWriter {
    const session = new SessionExchangesWriter(this.#writer(), facts);
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

  /** Returns the recording of exchanges outside any session. */
  run(): SessionExchangesWriter {
    if (this.#run === undefined) {
      this.#run = new SessionExchangesWriter(this.#writer(), this.runFacts);
      this.#run.rename(probeName);
    }
    return this.#run;
  }

  /** Whether the run may consist of discovery only. */
  get isProbe(): boolean {
    return this.#runIsProbe;
  }

  /** Records that the run has a request beyond discovery. */
  noteRun(): void {
    this.#runIsMore = true;
  }

  /**
   * Makes the run a session, because its server serves clients without a session id, or a client called it as
   * stateless.
   */
  promoteRun(): void {
    if (this.#runIsProbe) this.#options.authorization?.settle();
    this.#runIsProbe = false;
    this.#run?.rename((path) => path);
  }

  /** Adds an exchange to a session, after the authorization flow that came before it. Returns its stream number. */
  enter(session: SessionExchangesWriter): number {
    this.#writeAuthorization(session);
    this.#stopWaiting(session);
    return session.join();
  }

  /** Removes an exchange that has ended from its session. */
  leave(session: SessionExchangesWriter, key: string | undefined): void {
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

  #writeAuthorization(session: SessionExchangesWriter): void {
    const isTentative = session === this.#run && this.#runIsProbe;
    for (const observed of this.#options.authorization?.take(isTentative) ?? []) session.writeAuthorization(observed);
  }

  /** Writes an authorization flow that no request followed: to the latest session, or to the run. */
  #writeLastAuthorization(): void {
    if (!this.#options.authorization?.isWaiting) return;
    const latest = [...this.#sessions.values()].at(-1);
    if (latest === undefined) this.noteRun();
    this.#writeAuthorization(latest ?? this.run());
  }

  #stopWaiting(session: SessionExchangesWriter): void {
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
