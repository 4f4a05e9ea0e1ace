import { type Signal, signal } from '@preact/signals';
import type {
  ForkUpdate,
  MockUpdate,
  OfferedFault,
  SessionWork,
  VerificationUpdate,
} from '../../data/live/verification-and-mock-types.ts';
import type { ShownProblem } from '../../data/live-page-protocol.ts';
import type { Item, VerifiedStep } from '../../data/report-data-types.ts';

/** Latest verification of the session, with all its steps. */
export type ShownVerification = Omit<VerificationUpdate, 'edition'>;

/** Mock server state, with play counts by line. */
export type ShownMock = Omit<MockUpdate, 'edition' | 'played'> & { played: ReadonlyMap<number, number> };

/** Verification, mock server and fork of the open session, with the actions that control them. */
export class WorkState {
  readonly verification: Signal<ShownVerification | undefined> = signal(undefined);
  readonly mock: Signal<ShownMock | undefined> = signal(undefined);
  readonly fork: Signal<ForkUpdate | undefined> = signal(undefined);
  /** Why the last action was refused. */
  readonly problem: Signal<ShownProblem | undefined> = signal(undefined);
  #session = '';
  #edition = -1;
  #steps: VerifiedStep[] = [];
  #mockEdition = -1;
  #played = new Map<number, number>();

  /** Resets the state, because the page shows another session or the server sends the complete state again. */
  reset(session: string | undefined): void {
    this.#session = session ?? '';
    this.#edition = -1;
    this.#steps = [];
    this.verification.value = undefined;
    this.#mockEdition = -1;
    this.#played = new Map();
    this.mock.value = undefined;
    this.fork.value = undefined;
  }

  /** Takes an update of the server. Returns whether items of the session have to be drawn again. */
  take({ verification, mock, fork }: SessionWork): boolean {
    if (fork !== undefined) this.fork.value = fork;
    const isVerified = verification !== undefined && this.#takeVerification(verification);
    return (mock !== undefined && this.#takeMock(mock)) || isVerified;
  }

  #takeVerification(verification: VerificationUpdate): boolean {
    const { edition, steps, ...rest } = verification;
    const isAnew = edition !== this.#edition;
    if (isAnew) this.#steps = [];
    this.#edition = edition;
    for (const step of steps) this.#steps.push(step);
    this.verification.value = { ...rest, steps: this.#steps };
    return isAnew || steps.length > 0;
  }

  #takeMock({ edition, played, ...rest }: MockUpdate): boolean {
    const isAnew = edition !== this.#mockEdition;
    if (isAnew) this.#played = new Map();
    this.#mockEdition = edition;
    for (const [line, times] of played) this.#played.set(line, times);
    this.mock.value = { ...rest, played: this.#played };
    return isAnew || played.length > 0;
  }

  /** Returns a copy of the items with findings: the verification step and the play count of each item. */
  withFindings(items: readonly Item[]): Item[] {
    if (this.#steps.length === 0 && this.#played.size === 0) return [...items];
    const steps = new Map(this.#steps.map((step) => [step.line, step]));
    return items.map((item) => {
      const [verified, played] = [steps.get(item.line), this.#played.get(item.line)];
      if (verified === undefined && played === undefined) return item;
      return { ...item, ...(verified && { verified }), ...(played !== undefined && { played }) };
    });
  }

  /** Asks the server for an action on the open session. Returns whether it was done. */
  async act(action: string, members: Members = {}): Promise<boolean> {
    return (await this.#ask(action, members)) !== undefined;
  }

  /** Returns the faults that fit the message at a line. */
  async faultsAt(line: number): Promise<readonly OfferedFault[]> {
    return ((await this.#ask('faults/menu', { line })) as { faults: OfferedFault[] } | undefined)?.faults ?? [];
  }

  /** Sends an action, and returns the body of its response. Undefined: it was refused. */
  async #ask(action: string, members: Members): Promise<unknown> {
    this.problem.value = undefined;
    const { problem, body } = await postAction(action, { session: this.#session, ...members });
    this.problem.value = problem;
    return body;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Posts an action. Returns the body of the response, or the problem if the action was refused. */
export async function postAction(action: string, asked: object): Promise<{ body?: unknown; problem?: ShownProblem }> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(action, { method: 'POST', headers, body: JSON.stringify(asked) });
    if (response.ok) return { body: await response.json() };
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return { problem: isJson ? JSON.parse(text).error : { ...REFUSED, message: text } };
  } catch {
    return { problem: GONE };
  }
}

const REFUSED = { code: 'UI_REFUSED', next: 'Open the URL that mcp-record ui has printed.' };
const GONE: ShownProblem = {
  code: 'UI_GONE',
  message: 'mcp-record ui does not answer.',
  next: 'Copy what you have not saved, start it again, and open its new URL.',
};
