import { elementsIn, skipSpace } from './json-scan.ts';

/**
 * A JSON value as text, parsed on first access. The text is sent on the wire and kept by cassettes token by token
 * (number lexemes, key order). The value serves comparison only.
 */
export class JsonText {
  readonly text: string;
  #value: unknown;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws SyntaxError if the text is not JSON. Texts from a decoder or from the cassette reader never throw. */
  get value(): unknown {
    this.#value ??= JSON.parse(this.text);
    return this.#value;
  }
}

/** Reports whether a text is JSON. */
export function isJson(json: JsonText): boolean {
  try {
    void json.value;
    return true;
  } catch {
    return false;
  }
}

/** Parses a text. Undefined: it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Formats a part of a message as JSON, for people. Undefined gives an empty text. A value too deep for the stack gives
 * a sentence that says so.
 */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 'JSON that is nested too deep to be shown';
  }
}

const BRIEF_LENGTH_MAX = 80;

/** Formats a part of a message as JSON, cut to a length for one line. */
export function briefJson(value: unknown): string {
  const text = jsonOf(value);
  return text.length > BRIEF_LENGTH_MAX ? `${text.slice(0, BRIEF_LENGTH_MAX)}…` : text;
}

/**
 * Reports whether a message may have a member of this name, at any depth. Reads the text and parses nothing. False: it
 * has none. An escaped name may be any name.
 */
export function mayHaveMember({ text }: JsonText, name: string): boolean {
  return text.includes(`"${name}"`) || text.includes('\\u');
}

const OPEN_LIST = 0x5b;

/** Reports whether a message is a batch. Reads one character and parses nothing. */
export function isBatch({ text }: JsonText): boolean {
  return text.charCodeAt(skipSpace(text, 0)) === OPEN_LIST;
}

/** Splits a batch into messages, each with its own text. Any other message is returned alone. */
export function elementsOf(json: JsonText): JsonText[] {
  if (!isBatch(json)) return [json];
  return elementsIn(json.text).map(({ start, end }) => new JsonText(json.text.slice(start, end)));
}
