import { type Frame, type MessageFrame, type OpenFrame, otherSide } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse, type Params, paramsOf } from '../../protocol/message.ts';
import { type OAuthRequest, oauthRequestOf } from '../../protocol/oauth-requests.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** Facts about a frame that rules select by. */
export interface FrameContext {
  /** `authorization`: a request of an authorization flow, or the body of its response. */
  kind?: 'request' | 'response' | 'notification' | 'authorization';
  /**
   * Method of the message, or of the answered request. For an authorization flow, the request's name, such as
   * `oauth/token`.
   */
  method?: string;
  /** Method of the request that the frame is, answers or reports on. */
  request?: string;
  /** Tool, prompt or resource of that request. */
  name?: string | undefined;
}

interface Asked {
  request: string;
  name: string | undefined;
}

const NOTHING: FrameContext = {};
const PROGRESS_TOKEN = ['params', 'progressToken'];
/** Maximum number of remembered requests. */
const REMEMBERED_MAX = 10_000;

/** Finds the request that a response or progress notification belongs to. */
export class RequestTracker {
  readonly #asked = new Map<string, Asked>();
  /** Open exchanges of authorization flows. */
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

  /**
   * Returns the context of an authorization answer: only its body matches rules. A redirect has no body, so its head
   * matches.
   */
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
    // Several clients may use the same id. Over HTTP, the response usually arrives in the exchange of its request.
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
