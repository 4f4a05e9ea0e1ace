import type { Frame, MessageFrame } from '../../channel/frame.ts';
import { inputRequestsIn } from '../../journal/input-requests.ts';
import { locate, membersIn } from '../../protocol/json-scan.ts';
import { elementsOf, JsonText } from '../../protocol/json-text.ts';
import { isRequest, isResponse, paramsOf, resultOf } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** A question of the live server, with the answer that the recorded client gives. */
export interface HeldAnswer {
  request: JsonText;
  answer: JsonText;
  /** The question came inside of a result (2026-07-28): the client repeats its call, and cannot answer with an error. */
  isInput?: true;
}

/** Resolves to the answer to send in place of the held answer. */
export type HoldAnswer = (held: HeldAnswer) => Promise<JsonText>;

/** Methods of questions, which clients show to their users. */
const QUESTIONS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);

/** Path of a client's answers to questions inside of a result. */
const INPUTS = ['params', 'inputResponses'] as const;

/** Holds the recorded answers to a live server's questions until their answers are approved or changed. */
export class HeldAnswers {
  readonly #hold: HoldAnswer;
  /** Open questions, by id. */
  readonly #questions = new Map<string, JsonText>();
  /** Open questions inside of results, by `requestState` and key. */
  readonly #inputs = new Map<string, JsonText>();

  constructor(hold: HoldAnswer) {
    this.#hold = hold;
  }

  /** Notes the questions among the live server's messages. */
  hear({ json }: MessageFrame): void {
    for (const one of elementsOf(json)) {
      if (isRequest(one.value) && QUESTIONS.has(one.value.method)) this.#questions.set(idOf(one), one);
      const { requestState } = resultOf(one.value);
      for (const { id, method, params } of inputRequestsIn(one.value)) {
        const question = { jsonrpc: '2.0', id, method, ...(params && { params }) };
        if (QUESTIONS.has(method)) this.#inputs.set(keyOf(requestState, id), new JsonText(JSON.stringify(question)));
      }
    }
  }

  /**
   * Resolves to the frame to send, which is no longer held. Undefined for a frame that answers no question, which is
   * sent immediately.
   */
  hold(frame: Frame): Promise<Frame> | undefined {
    if (frame.kind !== 'message') return undefined;
    if (isRequest(frame.json.value)) return this.#holdInputs(frame);
    if (!isResponse(frame.json.value)) return undefined;
    const { json: answer } = frame;
    const request = this.#questions.get(idOf(answer));
    if (request === undefined) return undefined;
    this.#questions.delete(idOf(answer));
    return this.#hold({ request, answer }).then((json) => ({ ...frame, json }));
  }

  /** Holds the answers inside of a request. It is sent when all of them are approved. */
  #holdInputs(frame: MessageFrame): Promise<Frame> | undefined {
    const { text, value } = frame.json;
    const inputs = locate(text, INPUTS);
    if (inputs === undefined) return undefined;
    const { requestState } = paramsOf(value);
    const held = membersIn(text.slice(inputs.start, inputs.end)).flatMap(({ key: id, start, end }) => {
      const key = keyOf(requestState, id);
      const request = this.#inputs.get(key);
      if (request === undefined) return [];
      this.#inputs.delete(key);
      const span = { start: inputs.start + start, end: inputs.start + end };
      const answer = new JsonText(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text.slice(span.start, span.end)}}`,
      );
      return [this.#hold({ request, answer, isInput: true }).then((json) => ({ ...span, result: resultTextOf(json) }))];
    });
    if (held.length === 0) return undefined;
    return Promise.all(held).then((answers) => {
      let sent = text;
      for (const { start, end, result } of answers.reverse()) sent = sent.slice(0, start) + result + sent.slice(end);
      return { ...frame, json: new JsonText(sent) };
    });
  }
}

function idOf(json: JsonText): string {
  return scalarKeyAt(json, ['id']) ?? '';
}

function keyOf(requestState: unknown, id: string): string {
  return JSON.stringify([requestState, id]);
}

function resultTextOf({ text }: JsonText): string {
  const { start, end } = locate(text, ['result'])!;
  return text.slice(start, end);
}
