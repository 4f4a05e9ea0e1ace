import { didYouMean } from '../../kernel/did-you-mean.ts';
import { paramsOf, type Request } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { FIRST_MODERN, isModern, NEWEST_LEGACY, REVISIONS, UNSUPPORTED_VERSION } from '../../protocol/revisions.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { METHOD_NOT_FOUND, type ResultOrError } from '../../replay/match/protocol-generation.ts';
import type { Result } from '../handler.ts';
import type { HandlerList } from '../handler-list.ts';
import { LISTS } from './merge-list-items.ts';

/** Description of a mock server without a cassette. */
export interface ServerDescription {
  /** Default: `mock`, version `0.0.0`. */
  serverInfo?: { name: string; version: string; [member: string]: unknown };
  /** Default: the capabilities that its handlers need. */
  capabilities?: Record<string, unknown>;
  instructions?: string;
}

/** Answer to a request without a handler, with a finding for an unexpected request. */
export interface DefaultReply {
  reply: ResultOrError;
  finding?: Finding;
}

/** Answers requests without a handler. */
export interface DefaultAnswers {
  /** Whether a test has said which capabilities the server declares. Default: they follow from its handlers. */
  readonly hasStatedCapabilities?: boolean;
  answer(request: Request, modern: boolean): DefaultReply;
}

const INVALID_PARAMS = -32602;

/** Members of list results of 2026-07-28. `ttlMs: 0` makes a caching client ask again. */
const CACHED = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** Results of methods that are answered without a handler. */
const EMPTY: ReadonlyMap<string, Result> = new Map([
  ['resources/templates/list', { resourceTemplates: [] }],
  ['logging/setLevel', {}],
]);

/** Kind of the named item, by method. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
]);

/** Answers requests without a handler on a mock server without a cassette, in every revision. */
export class ServerFallbackAnswers implements DefaultAnswers {
  readonly #handlers: HandlerList;
  #description: Required<Pick<ServerDescription, 'serverInfo'>> & ServerDescription;

  constructor(handlers: HandlerList, description: ServerDescription = {}) {
    this.#handlers = handlers;
    this.#description = described(description);
  }

  /** Replaces the server's description. */
  describe(description: ServerDescription): void {
    this.#description = described(description);
  }

  get hasStatedCapabilities(): boolean {
    return this.#description.capabilities !== undefined;
  }

  answer(request: Request, modern: boolean): DefaultReply {
    const { method } = request;
    const list = LISTS.get(method);
    const empty = EMPTY.get(method);
    if (method === 'server/discover') return { reply: { result: this.#discovery() } };
    if (method === 'initialize') return { reply: this.#initialize(request, modern) };
    if (method === 'ping' && !modern) return { reply: { result: {} } };
    if (list) return result({ [list]: this.#handlers.definitions(list) }, modern);
    if (empty) return result(empty, modern);
    return this.#miss(request);
  }

  #initialize(request: Request, modern: boolean): ResultOrError {
    const { protocolVersion: requested } = paramsOf(request);
    if (modern) {
      const data = { supported: MODERN_REVISIONS, requested };
      return { error: { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data } };
    }
    const known = REVISIONS.find((revision) => revision === requested && !isModern(revision));
    const { serverInfo, instructions } = this.#description;
    const protocolVersion = known ?? NEWEST_LEGACY;
    const said = { protocolVersion, capabilities: this.#capabilities, serverInfo };
    return { result: { ...said, ...(instructions !== undefined && { instructions }) } };
  }

  #discovery(): Result {
    const { serverInfo, instructions } = this.#description;
    const said = { supportedVersions: MODERN_REVISIONS, capabilities: this.#capabilities };
    const meta = { _meta: { [META.serverInfo]: serverInfo } };
    return { ...CACHED, ...said, ...(instructions !== undefined && { instructions }), ...meta };
  }

  get #capabilities(): Record<string, unknown> {
    const { capabilities } = this.#description;
    if (capabilities) return capabilities;
    const changing = { listChanged: true };
    const subscribe = this.#handlers.has('resources/subscribe') && { subscribe: true };
    const completions = this.#handlers.has('completion/complete') && { completions: {} };
    return {
      tools: changing,
      prompts: changing,
      resources: { ...changing, ...subscribe },
      logging: {},
      ...completions,
    };
  }

  #miss(request: Request): DefaultReply {
    const { method, params } = request;
    const { name, uri, arguments: given = {} } = paramsOf(request);
    const kind = NAMED.get(method);
    const subject = subjectOf(method, params);
    const refusals = this.#handlers.refusals(request);
    if (refusals.length > 0) {
      const text = `No handler answers ${subject} with ${JSON.stringify(kind ? given : params)}: ${refusals.join(', ')}.`;
      return { reply: { error: { code: INVALID_PARAMS, message: text } }, finding: { kind: 'miss', text } };
    }
    const text = `No handler answers ${subject}${adviceOn(request, this.#handlers.names(method))}`;
    const error = kind
      ? { code: INVALID_PARAMS, message: `Unknown ${kind}: ${String(name ?? uri)}` }
      : { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
    return { reply: { error }, finding: { kind: 'miss', text } };
  }
}

const MODERN_REVISIONS: readonly string[] = REVISIONS.filter((revision) => revision >= FIRST_MODERN);

function described(
  description: ServerDescription,
): Required<Pick<ServerDescription, 'serverInfo'>> & ServerDescription {
  return { serverInfo: { name: 'mock', version: '0.0.0' }, ...description };
}

function result(members: Result, modern: boolean): DefaultReply {
  return { reply: { result: { ...(modern && CACHED), ...members } } };
}

function adviceOn({ params }: Request, names: readonly string[]): string {
  const { name, uri } = paramsOf({ params });
  const asked = String(name ?? uri);
  const meant = didYouMean(asked, names);
  if (meant !== undefined) return `: did you mean "${meant}"?`;
  return names.length === 0 ? '.' : `: there is ${names.map((one) => `"${one}"`).join(', ')}.`;
}
