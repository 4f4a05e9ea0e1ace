import type { ShownQuestion } from '../../html-report/data/live/verification-and-mock-types.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isResponse, type Params, type Request, type RpcError } from '../../protocol/message.ts';
import { clientResultProblem } from '../../protocol/results/client-result-problem.ts';
import type { HeldAnswer } from '../../verify/run/answers-awaiting-approval.ts';
import type { PausableClock } from '../../verify/run/pausable-clock.ts';

/** Answer of a person to a question of the live server. */
export type GivenAnswer = { result: Params } | { error: RpcError } | 'as-recorded';

export interface QuestionsOptions {
  /** Clock of the run, which stands still while a question is open. */
  clock: PausableClock;
  /** Redacts what pages show. */
  redact(json: JsonText): JsonText;
  /** Reports whether a page shows the run. Otherwise, nobody can answer. */
  isWatched(): boolean;
  /** Called after each change. */
  changed(): void;
}

interface Question extends HeldAnswer {
  id: number;
  answered(answer: JsonText): void;
}

/** The questions of a live server that wait for a person. */
export class ServerQuestions {
  readonly #options: QuestionsOptions;
  #open: Question[] = [];
  #count = 0;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** Returns the open questions, as pages show them. */
  get shown(): ShownQuestion[] {
    return this.#open.map(({ id, request, answer, isInput }) => {
      const { method, params } = this.#options.redact(request).value as Request;
      const { value } = answer;
      const error = isResponse(value) && 'error' in value ? value.error : undefined;
      const result = isResponse(value) && 'result' in value ? value.result : undefined;
      return {
        id,
        method,
        params: pretty(params ?? {}),
        answer: pretty(error ?? result),
        isError: error !== undefined,
        ...(isInput && { isInput }),
      };
    });
  }

  /** Holds a question until a person has answered. */
  readonly hold = (held: HeldAnswer): Promise<JsonText> => {
    const { clock, isWatched, changed } = this.#options;
    if (!isWatched()) return Promise.resolve(held.answer);
    clock.pause();
    this.#count += 1;
    const id = this.#count;
    return new Promise((answered) => {
      this.#open.push({ ...held, id, answered });
      changed();
    });
  };

  /**
   * Gives the answer of a person.
   * @throws McpRecordError UI_NO_QUESTION, UI_BAD_ANSWER
   */
  answer(id: number, given: GivenAnswer): void {
    const question = this.#open.find((one) => one.id === id);
    if (question === undefined) throw noQuestion(id);
    const text = answerText(question, given);
    this.#open = this.#open.filter((one) => one !== question);
    if (this.#open.length === 0) this.#options.clock.resume();
    question.answered(text);
    this.#options.changed();
  }

  /** Gives the recorded answers to all open questions. */
  answerAsRecorded(): void {
    for (const { id } of this.#open) this.answer(id, 'as-recorded');
  }

  /** Forgets the open questions, because the run has ended. */
  end(): void {
    this.#open = [];
    this.#options.clock.resume();
  }
}

function answerText({ request, answer, isInput }: Question, given: GivenAnswer): JsonText {
  if (given === 'as-recorded') return answer;
  if (isInput && 'error' in given) throw errorInRequest(request.value as Request);
  if ('result' in given) {
    const problem = clientResultProblem(request.value as Request, given.result);
    if (problem !== undefined) throw badAnswer(request.value as Request, problem);
  }
  const { id } = request.value as Request;
  return new JsonText(JSON.stringify({ jsonrpc: '2.0', id, ...given }));
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function badAnswer({ method }: Request, why: string): McpRecordError {
  return new McpRecordError({
    code: 'UI_BAD_ANSWER',
    what: `Cannot answer ${method} with this result`,
    why,
    next: 'Correct it, refuse with an error, or give the recorded answer.',
  });
}

function errorInRequest({ method }: Request): McpRecordError {
  const isElicited = method === 'elicitation/create';
  return new McpRecordError({
    code: 'UI_BAD_ANSWER',
    what: `Cannot answer ${method} with an error`,
    why: 'since protocol version 2026-07-28, a client answers inside of its next request, which has results only',
    next: isElicited
      ? 'Send a result with the action "decline" or "cancel".'
      : 'Send a result, or give the recorded answer.',
  });
}

/** Returns the error for a question that is no longer open. */
export function noQuestion(id: number): McpRecordError {
  return new McpRecordError({
    code: 'UI_NO_QUESTION',
    what: `Cannot answer question ${id}`,
    why: 'it is answered already, or the run has ended',
    next: 'Answer one that the page shows.',
  });
}
