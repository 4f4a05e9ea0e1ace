import { loadCassette } from '../../cassette/read/load-cassette.ts';
import type { VerificationState, VerificationUpdate } from '../../html-report/data/live/verification-and-mock-types.ts';
import type { ShownProblem } from '../../html-report/data/live-page-protocol.ts';
import type { VerifiedStep } from '../../html-report/data/report-data-types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { liveRedaction } from '../../verify/compare/equal-placeholders.ts';
import { redactOutcome, redactStep } from '../../verify/compare/redact-outcome.ts';
import { PausableClock } from '../../verify/run/pausable-clock.ts';
import { playToLiveServer } from '../../verify/run/play-to-live-server.ts';
import { refuseNonMcpRequests } from '../../verify/run/refuse-non-mcp-requests.ts';
import { watchSteps } from '../../verify/run/watch-steps.ts';
import { ServerQuestions } from './server-questions.ts';
import { brokenRunProblem, shownProblem } from './shown-problem.ts';
import { stepPageData } from './step-page-data.ts';
import type { ServerUnderTest } from './verified-server-types.ts';

export interface VerificationOptions {
  /** Path of the cassette. */
  file: string;
  server: ServerUnderTest;
  clock: Clock;
  /** Whether a person answers the questions of the server. Default: the recorded client answers. */
  isByHand?: boolean;
  /** Reports whether a page shows the run. */
  isWatched(): boolean;
  /** Called after each change. */
  changed(): void;
}

/** A run of a cassette's client against the server under test, as pages watch it. */
export class Verification {
  state: VerificationState = 'running';
  /** Number of times that the steps were replaced. The final steps are in cassette order. */
  edition = 0;
  steps: VerifiedStep[] = [];
  notes: readonly string[] = [];
  problem: ShownProblem | undefined;
  /** Number of changes. */
  version = 0;
  readonly #options: VerificationOptions;
  #isOutdated = false;
  readonly #abort = new AbortController();
  /** Titles of unanswered requests, by line. */
  readonly #waiting = new Map<number, string>();
  /** Questions for a person. Undefined: the recorded client answers. */
  questions: ServerQuestions | undefined;
  readonly #ended: Promise<void>;

  constructor(options: VerificationOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  get waiting(): string[] {
    return [...this.#waiting.values()];
  }

  /** Ends the run and shows all results up to then. Resolves when the run has ended. */
  stop(): Promise<void> {
    this.#abort.abort();
    return this.#ended;
  }

  /** Ends the run and discards its results, because an answer of the cassette was edited. */
  outdate(): void {
    this.#isOutdated = true;
    if (this.state === 'running') this.#abort.abort();
    else this.#forget();
  }

  async #run(): Promise<void> {
    try {
      await this.#play();
      this.state = this.#abort.signal.aborted ? 'stopped' : 'ended';
    } catch (error) {
      this.state = 'failed';
      this.problem = shownProblem(error);
    }
    this.#waiting.clear();
    this.questions?.end();
    if (this.#isOutdated) this.#forget();
    else this.#change();
  }

  async #play(): Promise<void> {
    const { file, server } = this.#options;
    const clock = new PausableClock(this.#options.clock);
    const { start, patience } = server;
    const cassette = loadCassette(file);
    checkPlayable(cassette);
    if (server.isHttp) refuseNonMcpRequests(cassette, 'mcp-record verify --other-requests');
    const redactor = server.redactor();
    const judging = { file, redaction: liveRedaction(redactor, {}, () => ADVICE, server.credentials) };
    const watch = watchSteps(
      {
        began: ({ line = 0, title }) => this.#change(() => this.#waiting.set(line, title)),
        answered: (line) => this.#change(() => this.#waiting.delete(line)),
        ended: (step) => this.#change(() => this.steps.push(stepPageData(step))),
      },
      judging,
      (step) => redactStep(step, redactor.json),
    );
    const aborted = this.#abort.signal;
    const hold = this.#questionsOn(clock, redactor.json)?.hold;
    const driven = await playToLiveServer({
      ...{ start, cassette, clock, patience, aborted, redaction: judging.redaction },
      ...watch,
      ...(hold && { hold }),
    });
    const outcome = redactOutcome(compareSession({ ...judging, driven }), redactor.json);
    this.edition += 1;
    this.steps = outcome.steps.map(stepPageData);
    this.notes = [...cassette.warnings, ...outcome.notes];
    this.problem = brokenRunProblem(driven, server.name);
  }

  #forget(): void {
    this.state = 'outdated';
    this.edition += 1;
    this.steps = [];
    this.notes = [];
    this.problem = undefined;
    this.#change();
  }

  #questionsOn(clock: PausableClock, redact: (json: JsonText) => JsonText): ServerQuestions | undefined {
    const { isByHand = false, isWatched } = this.#options;
    if (!isByHand) return undefined;
    this.questions = new ServerQuestions({ clock, redact, isWatched, changed: () => this.#change() });
    return this.questions;
  }

  #change(task?: () => void): void {
    task?.();
    this.version += 1;
    this.#options.changed();
  }
}

const ADVICE = 'Compare it with mcp-record verify, which takes secrets and rules of redaction.';

/** Maximum number of steps in one update. */
const STEPS_MAX = 500;

/** Cursor of one page in a verification: it returns the updates that the page lacks. */
export class VerificationCursor {
  #of: Verification | undefined;
  /** Number of the page's step list, which also counts verifications. */
  #list = 0;
  #edition = -1;
  #version = -1;
  #sent = 0;

  /** Returns the next update. Undefined: the page is up to date. */
  next(verification: Verification | undefined): VerificationUpdate | undefined {
    if (verification === undefined) return undefined;
    const { edition, version, state, steps, waiting, notes, problem, questions } = verification;
    if (verification !== this.#of || edition !== this.#edition) {
      this.#of = verification;
      this.#edition = edition;
      this.#list += 1;
      this.#sent = 0;
      this.#version = -1;
    }
    if (version === this.#version && this.#sent === steps.length) return undefined;
    this.#version = version;
    const from = this.#sent;
    this.#sent = Math.min(steps.length, from + STEPS_MAX);
    return {
      edition: this.#list,
      state,
      steps: steps.slice(from, this.#sent),
      waiting,
      notes,
      questions: questions?.shown ?? [],
      ...(problem && { problem }),
    };
  }
}
