import type { Move } from '../cassette/moves.ts';
import { tokenAt } from '../protocol/id.ts';
import { type JsonPath, locate, type Span } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';

/** What a value is used for: the same token means different things as an id and as a progress token. */
type Kind = 'id' | 'token';

/** A known place of a message whose value the peer minted (protocol digest: "Volatile values and who must remap"). */
interface Place {
  path: JsonPath;
  kind: Kind;
}

const REQUEST_ID: JsonPath = ['id'];
const REQUEST_TOKEN: JsonPath = ['params', '_meta', 'progressToken'];

/**
 * The live values of one request where the tape had others. They are put at known places only, as JSON tokens: a value
 * that happens to look the same elsewhere stays.
 */
export class Bindings {
  readonly #values = new Map<string, string | undefined>();

  /** Learns the values that the peer minted in `live`, where `recorded` stands on the tape. */
  static of(recorded: JsonText, live: JsonText): Bindings {
    const bindings = new Bindings();
    bindings.#learn('id', REQUEST_ID, recorded, live);
    bindings.#learn('token', REQUEST_TOKEN, recorded, live);
    return bindings;
  }

  /**
   * `move` with the peer's own live values in it. Undefined: it cannot be said, because the live request came without
   * the progress token that it would carry.
   */
  apply(move: Move): string | undefined {
    const { json } = move;
    if (json === undefined) return undefined;
    let text = '';
    let from = 0;
    for (const { key, span } of spansOf(move)) {
      const known = this.#values.has(key);
      const value = this.#values.get(key);
      if (known && value === undefined) return undefined;
      text += json.text.slice(from, span.start) + (value ?? json.text.slice(span.start, span.end));
      from = span.end;
    }
    return text + json.text.slice(from);
  }

  #learn(kind: Kind, path: JsonPath, recorded: JsonText, live: JsonText): void {
    const token = tokenAt(recorded, path);
    if (token !== undefined) this.#values.set(`${kind} ${token}`, tokenAt(live, path));
  }
}

interface BoundSpan {
  key: string;
  span: Span;
}

const spans = new WeakMap<Move, BoundSpan[]>();

function spansOf(move: Move): BoundSpan[] {
  const known = spans.get(move);
  if (known) return known;
  const found = placesOf(move)
    .flatMap(({ path, kind }) => {
      const token = tokenAt(move.json!, path);
      const span = locate(move.json!.text, path);
      return token === undefined || span === undefined ? [] : [{ key: `${kind} ${token}`, span }];
    })
    .sort((a, b) => a.span.start - b.span.start);
  spans.set(move, found);
  return found;
}

function placesOf({ message, from }: Move): Place[] {
  if (isResponse(message)) {
    return [
      { path: REQUEST_ID, kind: 'id' },
      { path: ['result', '_meta', META.subscriptionId], kind: 'id' },
    ];
  }
  if (isRequest(message) || !isNotification(message)) return [];
  if (message.method === 'notifications/progress')
    return [{ path: ['params', 'progressToken'], kind: 'token' }];
  if (from === 'client') return [];
  return [{ path: ['params', '_meta', META.subscriptionId], kind: 'id' }];
}
