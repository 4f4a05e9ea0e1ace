import type { Frame } from '../channel/frame.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { Redactor } from '../redact/redactor.ts';
import { placeholdersIn } from '../redact/replace/placeholder-format.ts';

/**
 * Replaces secrets by placeholders in frames for the client, so that a recorded test receives the same values as its
 * replay. In frames for the server, placeholders are replaced by the secrets.
 */
export class TwoWayFrameRedactor {
  readonly #redactor: Redactor | undefined;
  readonly #sentToClient: JsonText[] = [];

  /** Creates the redactor of frames. Without `redactor` all frames pass unchanged. */
  constructor(redactor: Redactor | undefined) {
    this.#redactor = redactor;
  }

  /** Returns a server frame with secrets replaced by placeholders. */
  toClient<Passed extends Frame>(frame: Passed): Passed {
    if (this.#redactor === undefined || frame.kind !== 'message') return frame;
    const json = this.#redactor.json(frame.json);
    this.#sentToClient.push(json);
    return json === frame.json ? frame : { ...frame, json };
  }

  /** Returns a client frame with placeholders replaced by secrets. */
  toServer<Passed extends Frame>(frame: Passed): Passed {
    if (this.#redactor === undefined || frame.kind !== 'message') return frame;
    const json = this.#redactor.restored(frame.json);
    return json === frame.json ? frame : { ...frame, json };
  }

  /** Returns the placeholders of secrets that the client received unredacted, because they became known later. */
  lateSecrets(): ReadonlySet<string> {
    const late = new Set<string>();
    for (const json of this.#sentToClient) {
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
