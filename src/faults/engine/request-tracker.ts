import { type Frame, type MessageFrame, type OpenFrame, otherSide } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse, type Params, paramsOf } from '../../protocol/message.ts';
import { type OAuthRequest, oauthRequestOf } from '../../protocol/oauth-requests.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** What a frame is about. */
export interface FrameContext {
  /** `authorization`: a request of an authorization flow, or the body of its answer. */
  kind?: 'request' | 'response' | 'notification' | 'authorization';
  /** Method of the message, or of the request that it answers; of an authorization flow its name, such as `oauth/token`. */
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
  /** Exchanges of authorization flows that are not over. */
  readonly #flows = new Map<number | undefined, OAuthRequest>();

  of(frame: Frame): FrameContext {
    if (frame.kind === 'open') return this.#opened(frame);
    if (this.#flows.size > 0 && this.#flows.has(frame.stream)) return this.#answered(frame);
    if (frame.kind !== 'message') return NOTHING;
    const { json, from, stream = 0 } = frame;
    const message = json.value;
    if (isRequest(message)) return this.#request(frame, message.method, paramsOf(message));
    if (isResponse(message)) {
      const id = `id ${otherSide(from)} ${scalarKeyAt(json, ['id'])}`;
      const asked = this.#asked.get(`${id} on ${stream}`) ?? this.#asked.get(id);
      return { kind: 'response', ...asked, ...(asked && { method: asked.request }) };
    }
    if (!isNotification(message)) return NOTHING;
    const token = scalarKeyAt(json, PROGRESS_TOKEN);
    if (token === undefined) return { kind: 'notification', method: message.method };
    return {
      kind: 'notification',
      ...this.#asked.get(`token ${otherSide(from)} ${token}`),
      method: message.method,
    };
  }

  #opened(frame: OpenFrame): FrameContext {
    const method = oauthRequestOf(frame);
    if (method === undefined) return { method: frame.method };
    this.#flows.set(frame.stream, method);
    if (this.#flows.size > REMEMBERED_MAX) this.#flows.delete(this.#flows.keys().next().value);
    return { kind: 'authorization', method };
  }

  /** Rules are about its body alone, as elsewhere, and of a redirect about its head. */
  #answered(frame: Frame): FrameContext {
    const { kind, from, stream } = frame;
    const method = this.#flows.get(stream)!;
    if (from === 'client') return NOTHING;
    if (kind === 'close') this.#flows.delete(stream);
    const isRedirect = kind === 'http-response' && frame.headers?.location !== undefined;
    const isAnswer = method === 'oauth/authorize' ? isRedirect : kind === 'message' || kind === 'line';
    return isAnswer ? { kind: 'authorization', method } : NOTHING;
  }

  #request({ json, from, stream }: MessageFrame, request: string, params: Params): FrameContext {
    const name = params.name ?? params.uri;
    const asked: Asked = { request, name: typeof name === 'string' ? name : undefined };
    const id = `id ${from} ${scalarKeyAt(json, ['id'])}`;
    this.#remember(id, asked);
    // Several clients may use one id: over HTTP an answer comes where it was asked for, unless it comes elsewhere.
    if (stream !== undefined) this.#remember(`${id} on ${stream}`, asked);
    const token = scalarKeyAt(json, ['params', '_meta', 'progressToken']);
    if (token !== undefined) this.#remember(`token ${from} ${token}`, asked);
    return { kind: 'request', method: request, ...asked };
  }

  #remember(key: string, asked: Asked): void {
    this.#asked.delete(key);
    this.#asked.set(key, asked);
    if (this.#asked.size > REMEMBERED_MAX) this.#asked.delete(this.#asked.keys().next().value!);
  }
}
