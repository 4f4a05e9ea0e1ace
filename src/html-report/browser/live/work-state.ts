import { type Signal, signal } from '@preact/signals';
import type { SessionWork, VerificationUpdate } from '../../data/live/session-work.ts';
import type { ShownProblem } from '../../data/live-page-protocol.ts';
import type { Item, VerifiedStep } from '../../data/report-data-types.ts';

/** The last verification of the session, with all its steps. */
export type ShownVerification = Omit<VerificationUpdate, 'edition'>;

/** What `mcp-record ui` does with the open session, and the actions that ask for it. */
export class WorkState {
  readonly verification: Signal<ShownVerification | undefined> = signal(undefined);
  /** Why the last action was refused. */
  readonly problem: Signal<ShownProblem | undefined> = signal(undefined);
  #session = '';
  #edition = -1;
  #steps: VerifiedStep[] = [];

  /** Forgets everything, because another session is shown, or because the server tells all of it again. */
  reset(session: string | undefined): void {
    this.#session = session ?? '';
    this.#edition = -1;
    this.#steps = [];
    this.verification.value = undefined;
  }

  /** Takes an update of the server. Returns whether items of the session have to be drawn again. */
  take({ verification }: SessionWork): boolean {
    if (verification === undefined) return false;
    const { edition, steps, ...rest } = verification;
    const isAnew = edition !== this.#edition;
    if (isAnew) this.#steps = [];
    this.#edition = edition;
    for (const step of steps) this.#steps.push(step);
    this.verification.value = { ...rest, steps: this.#steps };
    return isAnew || steps.length > 0;
  }

  /** Returns a copy of the items, each with the step of the last verification that checked it. */
  withSteps(items: readonly Item[]): Item[] {
    if (this.#steps.length === 0) return [...items];
    const steps = new Map(this.#steps.map((step) => [step.line, step]));
    return items.map((item) => {
      const verified = steps.get(item.line);
      return verified ? { ...item, verified } : item;
    });
  }

  /** Asks the server for an action on the open session. Returns whether it was done. */
  async act(action: string, members: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    this.problem.value = undefined;
    this.problem.value = await problemOf(action, { session: this.#session, ...members });
    return this.problem.value === undefined;
  }
}

/** Sends an action. Returns why it was refused, if it was. */
async function problemOf(action: string, body: object): Promise<ShownProblem | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(action, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.ok) return undefined;
    const text = await response.text();
    return response.headers.get('content-type') === 'application/json'
      ? JSON.parse(text).error
      : { code: 'UI_REFUSED', message: text, next: 'Open the URL that mcp-record ui has printed.' };
  } catch {
    return {
      code: 'UI_GONE',
      message: 'mcp-record ui does not answer.',
      next: 'Start it again, and open its new URL.',
    };
  }
}
