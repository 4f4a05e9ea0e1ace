import { type Frame, otherSide, type Side } from '../channel/frame.ts';
import { tokenAt } from '../protocol/id.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, type Params } from '../protocol/message.ts';

/** What a frame is about. */
export interface Subject {
  kind?: 'request' | 'response' | 'notification';
  /** Its method, or that of the request it answers. */
  method?: string;
  /** The method of the request that it is, answers or reports on. */
  request?: string;
  /** The tool, prompt or resource of that request. */
  name?: string | undefined;
}

interface Asked {
  request: string;
  name: string | undefined;
}

const NOTHING: Subject = {};
/** So many requests are remembered for what may still come of them. */
const REMEMBERED_MAX = 10_000;

/** Knows what answers and progress are about, from the requests that passed. */
export class Subjects {
  readonly #asked = new Map<string, Asked>();

  of(frame: Frame): Subject {
    if (frame.kind !== 'message') return NOTHING;
    const { json, from } = frame;
    const message = json.value;
    if (isRequest(message)) return this.#request(json, from, message.method, message.params);
    if (isResponse(message)) {
      const asked = this.#asked.get(`id ${otherSide(from)} ${tokenAt(json, ['id'])}`);
      return { kind: 'response', ...asked, ...(asked && { method: asked.request }) };
    }
    if (!isNotification(message)) return NOTHING;
    const token = tokenAt(json, ['params', 'progressToken']);
    const asked = token === undefined ? undefined : this.#asked.get(`token ${otherSide(from)} ${token}`);
    return { kind: 'notification', ...asked, method: message.method };
  }

  #request(json: JsonText, from: Side, request: string, params: Params | undefined): Subject {
    const name = params?.name ?? params?.uri;
    const asked: Asked = { request, name: typeof name === 'string' ? name : undefined };
    this.#remember(`id ${from} ${tokenAt(json, ['id'])}`, asked);
    const token = tokenAt(json, ['params', '_meta', 'progressToken']);
    if (token !== undefined) this.#remember(`token ${from} ${token}`, asked);
    return { kind: 'request', method: request, ...asked };
  }

  #remember(key: string, asked: Asked): void {
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    if (this.#asked.size > REMEMBERED_MAX) this.#asked.delete(this.#asked.keys().next().value!);
  }
}
