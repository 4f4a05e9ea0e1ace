import { elementsIn, skipSpace } from './json-scan.ts';

/**
 * A JSON value as text, parsed when somebody looks. The text is what crosses the wire and what a cassette keeps
 * token by token (number lexemes, key order); the value serves comparison only.
 */
export class JsonText {
  readonly text: string;
  #value: unknown;
  #parsed = false;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws SyntaxError when the text is not JSON; what a decoder or the cassette reader made never throws. */
  get value(): unknown {
    if (!this.#parsed) {
      this.#value = JSON.parse(this.text);
      this.#parsed = true;
    }
    return this.#value;
  }
}

/** A part of a message as JSON, for people; empty where there is none. What is nested too deep for the stack is named so. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 'JSON that is nested too deep to be shown';
  }
}

const OPEN_LIST = 0x5b;

/** Whether it is a list, told by its first character: nothing is parsed. */
export function isBatch({ text }: JsonText): boolean {
  return text.charCodeAt(skipSpace(text, 0)) === OPEN_LIST;
}

/** Returns the messages of a batch, each with its own text, or the message itself. */
export function elementsOf(json: JsonText): JsonText[] {
  if (!isBatch(json)) return [json];
  return elementsIn(json.text).map(({ start, end }) => new JsonText(json.text.slice(start, end)));
}
