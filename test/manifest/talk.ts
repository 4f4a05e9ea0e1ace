import { isModern, type Revision } from '../../src/protocol/revisions.ts';
import { cancelOf, ENVELOPE, type Id, type Line, type Message, type Params } from './wire/line.ts';

/** What the two sides say to each other in one revision. */
export class Talk {
  readonly revision: Revision;
  readonly modern: boolean;

  constructor(revision: Revision) {
    this.revision = revision;
    this.modern = isModern(revision);
  }

  /** What comes before anything else: the handshake, up to 2025-11-25. */
  opening({ client = {}, server = {} }: { client?: Params; server?: Params } = {}): Line[] {
    if (this.modern) return [];
    const { revision: protocolVersion } = this;
    const clientInfo = { name: 'client', version: '1.0.0' };
    const serverInfo = { name: 'server', version: '1.0.0' };
    return [
      this.ask('init', 'initialize', { protocolVersion, capabilities: client, clientInfo }),
      this.answer('init', { protocolVersion, capabilities: server, serverInfo }),
      this.tell('notifications/initialized'),
    ];
  }

  /** The client asks. */
  ask(id: Id, method: string, params?: Params): Line {
    return client({ id, method, ...this.#params(params) });
  }

  /** The client tells. */
  tell(method: string, params?: Params): Line {
    return client({ method, ...this.#params(params) });
  }

  /** The client cancels its request. */
  cancel(requestId: Id, reason?: string): Line {
    if (this.modern) return { from: 'client', message: cancelOf(requestId) };
    return this.tell('notifications/cancelled', { requestId, ...(reason !== undefined && { reason }) });
  }

  /** The client answers what the server asked. */
  reply(id: Id, result: Params): Line {
    return client({ id, result });
  }

  /** The client refuses what the server asked. */
  decline(id: Id, code: number, message: string): Line {
    return client({ id, error: { code, message } });
  }

  /** The server answers. */
  answer(id: Id, result: Params): Line {
    return server({ id, result: this.modern ? { resultType: 'complete', ...result } : result });
  }

  /** The server answers with an error. */
  fail(id: Id | null, code: number, message: string, data?: unknown): Line {
    return server({ id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  /** The server tells, while it works at the request `on`, or of itself. */
  told(method: string, params?: Params, on?: Id): Line {
    return { ...server({ method, ...(params && { params }) }), ...(on !== undefined && { on }) };
  }

  /** The server asks, while it works at the request `on`, or of itself. */
  asked(id: Id, method: string, params?: Params, on?: Id): Line {
    return { ...server({ id, method, ...(params && { params }) }), ...(on !== undefined && { on }) };
  }

  #params(params: Params | undefined): { params?: Params } {
    if (!this.modern) return params ? { params } : {};
    return { params: { ...params, _meta: { ...ENVELOPE, ...(params?._meta as Params | undefined) } } };
  }
}

/** The next line is said before this one is heard. */
export const crossing = (line: Line): Line => ({ ...line, crosses: true });

type Said = Omit<Message, 'jsonrpc'>;
const client = (said: Said): Line => ({ from: 'client', message: { jsonrpc: '2.0', ...said } });
const server = (said: Said): Line => ({ from: 'server', message: { jsonrpc: '2.0', ...said } });
