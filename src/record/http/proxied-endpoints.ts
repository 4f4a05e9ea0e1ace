import type { BodyMemory } from '../../transports/http/http1/body-memory.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import { EndpointFinder } from './endpoint-finder.ts';
import type { HttpRecorder } from './http-traffic-recorder.ts';

/** Server whose traffic passes. */
export interface ProxiedServer {
  upstream: Upstream;
  /** Path of its MCP endpoint. Absent: it is found by what clients send. */
  endpoint?: string;
}

export interface ProxiedEndpointsOptions {
  /** Creates the recorder of an MCP endpoint, whose path is that of the upstream. */
  recorder(upstream: Upstream): HttpRecorder;
  /** Starts an exchange with the server at `origin` that is none of MCP. Absent: nobody listens. */
  other?: ((origin: string) => Listener) | undefined;
  /** Maximum length of a first message that is read whole. */
  holdBytesMax: number;
  /** Memory of bodies, shared with the recorders. Absent: first messages have no limit together. */
  memory?: BodyMemory;
}

type Listener = (piece: HttpTrafficEvent) => void;

/**
 * MCP endpoints among all that passes a forward proxy, with a recorder each. Of other requests, only those of
 * authorization flows may be recorded.
 */
export class ProxiedEndpoints {
  readonly #options: ProxiedEndpointsOptions;
  /** Recorders by origin. */
  readonly #recorders = new Map<string, HttpRecorder[]>();

  constructor(options: ProxiedEndpointsOptions) {
    this.#options = options;
  }

  /** Whether no client has used an endpoint. */
  get isEmpty(): boolean {
    return this.#recorders.size === 0;
  }

  /** Starts an exchange. Returns a listener for its traffic, in order. */
  exchange(server: ProxiedServer): Listener {
    const held: HttpTrafficEvent[] = [];
    let path = '';
    let finder: EndpointFinder | undefined;
    let listener: Listener | undefined;
    let heldBytes = 0;
    const decide = (isEndpoint: boolean) => {
      const decided = isEndpoint
        ? this.#recorder(server, path).exchange()
        : (this.#options.other?.(server.upstream.origin) ?? ignore);
      listener = decided;
      for (const one of held.splice(0)) decided(one);
    };
    const share = this.#options.memory?.share(() => {
      decide(finder?.looksLikeEndpoint ?? false);
      return 0;
    });
    return (piece) => {
      if (listener !== undefined) return listener(piece);
      held.push(piece);
      let isEndpoint: boolean | undefined;
      if (piece.kind === 'request') {
        path = piece.path;
        finder = new EndpointFinder(piece, this.#options.holdBytesMax);
        isEndpoint = this.#isKnown(server, path);
      } else isEndpoint = finder?.take(piece);
      // The server has answered before the end of the request.
      if (piece.kind === 'end' && piece.from === 'server') isEndpoint ??= finder?.looksLikeEndpoint;
      if (isEndpoint === undefined) {
        if (piece.kind === 'data') heldBytes += piece.data.length;
        return share?.hold(heldBytes);
      }
      share?.hold(0);
      decide(isEndpoint);
    };
  }

  /** Ends every cassette. */
  end(reason: string): void {
    for (const recorder of [...this.#recorders.values()].flat()) recorder.end(reason);
  }

  /** Reports whether a path is one of MCP. Undefined: the exchange decides. */
  #isKnown({ upstream, endpoint }: ProxiedServer, path: string): boolean | undefined {
    if (this.#recorders.get(upstream.origin)?.some((recorder) => recorder.isAt(path))) return true;
    return endpoint === undefined ? undefined : withoutQuery(path) === endpoint;
  }

  #recorder({ upstream }: ProxiedServer, path: string): HttpRecorder {
    const recorders = this.#recorders.get(upstream.origin) ?? [];
    const known = recorders.find((recorder) => recorder.isAt(path));
    if (known !== undefined) return known;
    const recorder = this.#options.recorder({ ...upstream, path: withoutQuery(path) });
    this.#recorders.set(upstream.origin, [...recorders, recorder]);
    return recorder;
  }
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0]!;
}

function ignore(): void {}
