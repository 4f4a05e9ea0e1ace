import type { CassetteEvent } from '../cassette/cassette.ts';
import { type Frame, type MessageFrame, otherSide, type Side } from '../channel/frame.ts';
import { type JsonPath, locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';

const ID: JsonPath = ['id'];
const CANCELLED: JsonPath = ['params', 'requestId'];
const TOKEN: JsonPath = ['params', '_meta', 'progressToken'];
const PROGRESS: JsonPath = ['params', 'progressToken'];

/**
 * Gives the frames of another session ids and progress tokens unused in `recorded`. Within one session a side must not
 * use an id twice (MCP "Base protocol").
 */
export function renumberIds(frames: readonly Frame[], recorded: readonly CassetteEvent[]): Frame[] {
  const names = { client: new RequestTokens(), server: new RequestTokens() };
  for (const { frame } of recorded) if (frame.kind === 'message') visit(frame, names, 'keep');
  return frames.map((frame) => (frame.kind === 'message' ? visit(frame, names, 'change') : frame));
}

/** The ids and progress tokens of one side's requests. */
class RequestTokens {
  readonly ids: Tokens = new Tokens();
  readonly tokens: Tokens = new Tokens();
}

class Tokens {
  readonly #taken = new Set<string>();
  readonly #now = new Map<string, string>();
  #last = 0;

  take(token: string, how: 'keep' | 'change'): string {
    const name = how === 'change' && this.#taken.has(token) ? String(this.#last + 1) : token;
    this.#taken.add(name);
    this.#now.set(token, name);
    const number = Number(name);
    if (Number.isSafeInteger(number)) this.#last = Math.max(this.#last, number);
    return name;
  }

  /** Returns the new token of the latest request with `token`. */
  now(token: string): string {
    return this.#now.get(token) ?? token;
  }
}

function visit(frame: MessageFrame, names: Record<Side, RequestTokens>, how: 'keep' | 'change'): MessageFrame {
  const { from, json } = frame;
  const message = json.value;
  const [own, other] = [names[from], names[otherSide(from)]];
  const changes: [JsonPath, (token: string) => string][] = [];
  if (isRequest(message)) {
    changes.push([ID, (id) => own.ids.take(id, how)], [TOKEN, (token) => own.tokens.take(token, how)]);
  } else if (isResponse(message)) changes.push([ID, (id) => other.ids.now(id)]);
  else if (isNotification(message)) {
    changes.push([CANCELLED, (id) => own.ids.now(id)], [PROGRESS, (token) => other.tokens.now(token)]);
  }
  let changed = json;
  for (const [path, rename] of changes) {
    const token = scalarKeyAt(changed, path);
    if (token !== undefined) changed = replaceAt(changed, path, rename(token));
  }
  return how === 'keep' ? frame : { ...frame, json: changed };
}

function replaceAt(json: JsonText, path: JsonPath, token: string): JsonText {
  const { text } = json;
  const span = locate(text, path)!;
  if (text.slice(span.start, span.end) === token) return json;
  return new JsonText(text.slice(0, span.start) + token + text.slice(span.end));
}
