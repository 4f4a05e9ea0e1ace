import type { Headers } from '../../../channel/frame.ts';
import { isObject, paramsOf, type Request, type RpcError } from '../../../protocol/message.ts';
import { META, metaOf } from '../../../protocol/meta.ts';
import { UNSUPPORTED_VERSION } from '../../../protocol/revisions.ts';
import { headerValue } from '../../../transports/http/mcp-headers/header-encoding.ts';
import { type ParamHeaders, paramHeaders } from '../../../transports/http/mcp-headers/param-headers.ts';
import { repeatedInHeaders } from '../../../transports/http/mcp-headers/request-headers.ts';
import type { ServerRequirements } from './infer-server-requirements.ts';

const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;

/**
 * Returns the first error in the `_meta` and headers of a 2026-07-28 request, in the order in which servers check them
 * ("Standard Request Headers", "Custom Headers from Tool Parameters", "Protocol Version Negotiation").
 */
export function metadataError(request: Request, headers: Headers, rules: ServerRequirements): RpcError | undefined {
  const { [META.protocolVersion]: version, [META.clientCapabilities]: capabilities } = metaOf(request.params);
  if (typeof version !== 'string') return missing(META.protocolVersion);
  if (!rules.modern.has(version)) return unsupported(version, [...rules.modern]);
  const repeated = { 'mcp-protocol-version': version, ...repeatedInHeaders(request) };
  for (const [name, value] of Object.entries(repeated)) {
    const shown = headers[name];
    if (shown === undefined || headerValue(shown) !== value) return mismatch(name, shown);
  }
  const marked = request.method === 'tools/call' && rules.params.get(String(paramsOf(request).name));
  const param = marked ? mismatchedParam(marked, paramsOf(request).arguments, headers) : undefined;
  if (param !== undefined) return mismatch(param, headers[param]);
  return isObject(capabilities) ? undefined : missing(META.clientCapabilities);
}

/** Returns the first header that contradicts its argument. A header without an argument is ignored. */
function mismatchedParam(marked: ParamHeaders, args: unknown, headers: Headers): string | undefined {
  for (const [name, text] of Object.entries(paramHeaders(marked, args))) {
    const shown = headers[name];
    if (shown === undefined) return name;
    const [live, own] = [headerValue(shown), headerValue(text)];
    if (live !== own && !areSameNumber(live, own)) return name;
  }
  return undefined;
}

/** Reports whether two decimals are numerically equal, such as `42.0` and `42` ("Compare numerically"). */
function areSameNumber(a: string, b: string): boolean {
  return DECIMAL.test(a) && DECIMAL.test(b) && Number(a) === Number(b);
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function missing(key: string): RpcError {
  return { code: INVALID_PARAMS, message: `_meta lacks ${key}` };
}

function unsupported(requested: string, supported: readonly string[]): RpcError {
  const message = 'Unsupported protocol version';
  return { code: UNSUPPORTED_VERSION, message, data: { supported, requested } };
}

function mismatch(name: string, shown: string | undefined): RpcError {
  const why = shown === undefined ? 'is missing' : 'is not what the body says';
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${name} ${why}` };
}
