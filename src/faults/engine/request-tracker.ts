import { type Frame, type MessageFrame, otherSide } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse, type Params, paramsOf } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/token-at.ts';

/** What a frame is about. */
export interface FrameContext {
  kind?: 'request' | 'response' | 'notification';
  /** Method of the message, or of the request that it answers. */
  method?: string;
  /** Method of the request that the frame is, answers or reports on. */
  request?: string;
  /** The tool, prompt or resource of that request. */
  name?: string | undefined;
}

interface Asked {
  request: string;
  name: string | undefined;
}

const NOTHING: FrameContext = {};
const PROGRESS_TOKEN = ['params', 'progressToken'];
/** So many requests are remembered for what may still come of them. */
const REMEMBERED_MAX = 10_000;

/** Knows what answers and progress are about, from the requests that passed. */
export class RequestTracker {
  readonly #asked = new Map<string, Asked>();

  of(frame: Frame): FrameContext {
    if (frame.kind === 'open') return { method: frame.method };
    if (frame.kind !== 'message') return NOTHING;
    const { json, from, stream = 0 } = frame;
    const message = json.value;
    if (isRequest(message)) return this.#request(frame, message.method, paramsOf(message));
    if (isResponse(message)) {
      const id = `id ${otherSide(from)} ${tokenAt(json, ['id'])}`;
      const asked = this.#asked.get(`${id} on ${stream}`) ?? this.#asked.get(id);
      return { kind: 'response', ...asked, ...(asked && { method: asked.request }) };
    }
    if (!isNotification(message)) return NOTHING;
    const token = tokenAt(json, PROGRESS_TOKEN);
    if (token === undefined) return { kind: 'notification', method: message.method };
    return {
      kind: 'notification',
      ...this.#asked.get(`token ${otherSide(from)} ${token}`),
      method: message.method,
    };
  }

  #request({ json, from, stream }: MessageFrame, request: string, params: Params): FrameContext {
    const name = params.name ?? params.uri;
    const asked: Asked = { request, name: typeof name === 'string' ? name : undefined };
    const id = `id ${from} ${tokenAt(json, ['id'])}`;
    this.#remember(id, asked);
    // Several clients may use one id: over HTTP an answer comes where it was asked for, unless it comes elsewhere.
    if (stream !== undefined) this.#remember(`${id} on ${stream}`, asked);
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
