import type { Header } from '../../cassette/cassette.ts';
import type { MessageEntry } from '../../cassette/split-batches-into-entries.ts';
import { paramsOf, type Request, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { AttributeEntries } from './otlp-types.ts';

/**
 * Attributes by OpenTelemetry's semantic conventions for the Model Context Protocol. Those that the conventions lack
 * begin with `mcp_record`.
 */

/** Methods whose `uri` is that of a resource. */
const OF_RESOURCE: ReadonlySet<string> = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);

/** Revision of MCP that a request names itself (from 2026-07-28 on). */
export function revisionIn(holder: unknown): string | undefined {
  return textOf(metaOf(holder)[META.protocolVersion]);
}

/** Returns the tool or prompt of a request. Undefined: the request has neither. */
export function targetOf({ method, params }: Request): string | undefined {
  return method === 'tools/call' || method === 'prompts/get' ? textOf(paramsOf({ params }).name) : undefined;
}

/** Returns what a request says about itself. */
export function requestAttributes(entry: MessageEntry, request: Request): AttributeEntries {
  const { method } = request;
  const { uri } = paramsOf(request);
  const isCall = method === 'tools/call';
  const isHttp = entry.frame.stream !== undefined;
  return [
    ['mcp.method.name', method],
    ['jsonrpc.request.id', typeof request.id === 'string' ? request.id : scalarKeyAt(entry.json, ['id'])],
    ['jsonrpc.protocol.version', request.jsonrpc === '2.0' ? undefined : textOf(request.jsonrpc)],
    ['gen_ai.operation.name', isCall ? 'execute_tool' : undefined],
    ['gen_ai.tool.name', isCall ? targetOf(request) : undefined],
    ['gen_ai.prompt.name', isCall ? undefined : targetOf(request)],
    ['mcp.resource.uri', OF_RESOURCE.has(method) ? textOf(uri) : undefined],
    ...transportAttributes(isHttp ? 'http' : 'stdio'),
    ['mcp_record.from', entry.from],
    ['mcp_record.line', entry.line],
  ];
}

/** Returns how the messages of a session travel. */
export function transportAttributes(transport: Header['transport']): AttributeEntries {
  if (transport === 'stdio') return [['network.transport', 'pipe']];
  return [
    ['network.transport', 'tcp'],
    ['network.protocol.name', 'http'],
  ];
}

/** Returns the address of the server. Empty: it is a process, or the URL is not known. */
export function serverAttributes({ url = '' }: Header): AttributeEntries {
  if (!URL.canParse(url)) return [];
  const { hostname, port, protocol } = new URL(url);
  return [
    ['server.address', hostname],
    ['server.port', port === '' ? DEFAULT_PORTS[protocol] : Number(port)],
  ];
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Returns the number that a notification of progress reports, and the text that names a log message's level. */
export function notificationAttributes(message: { method: string; params?: unknown }): AttributeEntries {
  const { progress, total, level, logger } = paramsOf(message);
  const isLog = message.method === 'notifications/message';
  const isProgress = message.method === 'notifications/progress';
  return [
    ['mcp.method.name', message.method],
    ['mcp_record.progress', isProgress ? numberOf(progress) : undefined],
    ['mcp_record.total', isProgress ? numberOf(total) : undefined],
    ['mcp_record.level', isLog ? textOf(level) : undefined],
    ['mcp_record.logger', isLog ? textOf(logger) : undefined],
  ];
}

/** Returns the names of client and server, where the opening of a session tells them. */
export function peersIn(request: Request, result: unknown): { client: string | undefined; server: string | undefined } {
  const params = paramsOf(request);
  const answer = resultOf({ result });
  return {
    client: nameOf(params.clientInfo) ?? nameOf(metaOf(params)[META.clientInfo]),
    server: nameOf(answer.serverInfo) ?? nameOf(metaOf(answer)[META.serverInfo]),
  };
}

function nameOf(info: unknown): string | undefined {
  return typeof info === 'object' && info !== null && 'name' in info ? textOf(info.name) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
