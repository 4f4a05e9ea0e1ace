import type { Frame, MessageFrame } from '../../channel/frame.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** A question of the live server, and the answer that the recorded client would give. */
export interface HeldAnswer {
  request: JsonText;
  answer: JsonText;
}

/** Returns the answer to send in place of the held one, when it is decided. */
export type HoldAnswer = (held: HeldAnswer) => Promise<JsonText>;

/** Requests of a server that a person may answer: those that a client shows to its user. */
const QUESTIONS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);

/** Holds the answers to a live server's questions until somebody has decided about them. */
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

  /** Returns the frame to send, when it is decided. Undefined: the frame answers no question, and is sent at once. */
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
