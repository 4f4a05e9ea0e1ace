import type { SessionWork } from '../../html-report/data/live/verification-and-mock-types.ts';
import type { Cancel } from '../../kernel/clock.ts';
import { ForkCursor, type ServedFork } from '../served-fork/served-fork.ts';
import { MockCursor, type ServedMock } from '../served-mock/served-mock.ts';
import { type Verification, VerificationCursor } from '../verification/verification.ts';

/** Verification, mock server and fork of one session, as requested from a page. */
export class WorkOfSession {
  verification: Verification | undefined;
  mock: ServedMock | undefined;
  fork: ServedFork | undefined;
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      // Nobody is left who could answer.
      if (!this.isWatched) this.verification?.questions?.answerAsRecorded();
    };
  }

  /** Whether a page shows the session. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Tells the pages about a change. */
  readonly changed = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Ends everything that runs. */
  async stop(): Promise<void> {
    await Promise.all([this.verification?.stop(), this.mock?.stop(), this.fork?.stop()]);
  }
}

/** Tracks which updates of a session's verification, mock server and fork one page has received. */
export class WorkCursor {
  readonly #work: WorkOfSession;
  readonly #verification = new VerificationCursor();
  readonly #mock = new MockCursor();
  readonly #fork = new ForkCursor();

  constructor(work: WorkOfSession) {
    this.#work = work;
  }

  /** Returns the next update. Undefined: the page is up to date. */
  next(): SessionWork | undefined {
    const verification = this.#verification.next(this.#work.verification);
    const mock = this.#mock.next(this.#work.mock);
    const fork = this.#fork.next(this.#work.fork);
    if (verification === undefined && mock === undefined && fork === undefined) return undefined;
    return { ...(verification && { verification }), ...(mock && { mock }), ...(fork && { fork }) };
  }
}
