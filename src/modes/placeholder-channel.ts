import type { Frame } from '../channel/frame.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { Redactor } from '../redact/redactor.ts';
import { placeholdersIn } from '../redact/replace/placeholders.ts';

/**
 * Lets the client of a recorded test hear what it will hear on replay: placeholders in the place of secrets. The server is
 * given the secrets for the placeholders that the client gives back.
 */
export class PlaceholderChannel {
  readonly #redactor: Redactor | undefined;
  readonly #heard: JsonText[] = [];

  /** Without a redactor everything passes as it is. */
  constructor(redactor: Redactor | undefined) {
    this.#redactor = redactor;
  }

  /** What a frame of the server is for the client. */
  toClient<Passed extends Frame>(frame: Passed): Passed {
    if (this.#redactor === undefined || frame.kind !== 'message') return frame;
    const json = this.#redactor.json(frame.json);
    this.#heard.push(json);
    return json === frame.json ? frame : { ...frame, json };
  }

  /** What a frame of the client is for the server. */
  toServer<Passed extends Frame>(frame: Passed): Passed {
    if (this.#redactor === undefined || frame.kind !== 'message') return frame;
    const json = this.#redactor.revealed(frame.json);
    return json === frame.json ? frame : { ...frame, json };
  }

  /** The placeholders of values that the client has heard as they are, before they were known as secrets. */
  late(): ReadonlySet<string> {
    const late = new Set<string>();
    for (const json of this.#heard) {
      const known = this.#redactor?.json(json) ?? json;
      if (known === json) continue;
      const before = new Set(placeholders(json));
      for (const placeholder of placeholders(known)) if (!before.has(placeholder)) late.add(placeholder);
    }
    return late;
  }
}

function placeholders({ text }: JsonText): string[] {
  return placeholdersIn(text).map(({ start, end }) => text.slice(start, end));
}
