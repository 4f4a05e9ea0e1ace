import type { Frame, MessageFrame } from '../../channel/frame.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** A question of the live server, with the answer that the recorded client gives. */
export interface HeldAnswer {
  request: JsonText;
  answer: JsonText;
}

/** Resolves to the answer to send in place of the held answer. */
export type HoldAnswer = (held: HeldAnswer) => Promise<JsonText>;

/** Methods of questions, which clients show to their users. */
const QUESTIONS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);

/** Holds the recorded answers to a live server's questions until their answers are approved or changed. */
export class HeldAnswers {
  readonly #hold: HoldAnswer;
  /** Open questions, by id. */
  readonly #questions = new Map<string, JsonText>();

  constructor(hold: HoldAnswer) {
    this.#hold = hold;
  }

  /** Notes the questions among the live server's messages. */
  hear({ json }: MessageFrame): void {
    for (const one of elementsOf(json)) {
      if (isRequest(one.value) && QUESTIONS.has(one.value.method)) this.#questions.set(idOf(one), one);
    }
  }

  /** Resolves to the frame to send. Undefined for a frame that answers no question, which is sent immediately. */
  hold(frame: Frame): Promise<Frame> | undefined {
    if (frame.kind !== 'message' || !isResponse(frame.json.value)) return undefined;
    const { json: answer } = frame;
    const request = this.#questions.get(idOf(answer));
    if (request === undefined) return undefined;
    this.#questions.delete(idOf(answer));
    return this.#hold({ request, answer }).then((json) => ({ ...frame, json }));
  }
}

function idOf(json: JsonText): string {
  return scalarKeyAt(json, ['id']) ?? '';
}
