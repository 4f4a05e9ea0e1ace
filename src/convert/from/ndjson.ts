import { authorizationProblem } from '../../cassette/authorization-exchange.ts';
import type { Frame, Side } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { badInput, type ConvertedSession, type Input } from '../converter-types.ts';
import { SenderInference } from '../infer-sender.ts';
import { type NdjsonLine, readNdjson } from '../read-ndjson.ts';

const KINDS: ReadonlySet<unknown> = new Set([
  'line',
  'close',
  'open',
  'http-response',
  'sse',
  'comment',
  'signal',
  'exit',
]);

/**
 * Reads NDJSON: one JSON-RPC message per line, bare or in the form that `convert` writes:
 * `{"at":12,"from":"client","message":{…}}`. The sender of a bare message is inferred from the protocol.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromNdjson(input: Input): ConvertedSession {
  const speaker = new SenderInference();
  const lost: string[] = [];
  let at = 0;
  const frames = readNdjson(input, lost).map((line): Frame => {
    if (typeof line.value.at === 'number') at = line.value.at;
    return frameOf(line, at, speaker) ?? unknown(input, line);
  });
  if (frames.length === 0) throw badInput(input, 'it has no messages');
  const transport = frames.some(({ stream }) => stream !== undefined) ? 'http' : 'stdio';
  return { header: { transport }, frames, lost };
}

function frameOf({ value, member, json }: NdjsonLine, at: number, speaker: SenderInference): Frame | undefined {
  const message = member('message');
  if (message !== undefined && isObject(message.value) && value.jsonrpc === undefined) {
    const { message: _message, from, ...carried } = value;
    const side = sideOf(from) ?? speaker.of(message.value);
    return { ...carried, kind: 'message', at, from: side, json: message } as Frame;
  }
  const exchange = member('authorization');
  if (exchange !== undefined && authorizationProblem(exchange.value) === undefined)
    return { kind: 'authorization', at, from: 'client', json: exchange };
  if (KINDS.has(value.kind) && sideOf(value.from)) return revived({ ...value, at }) as unknown as Frame;
  const isMessage = 'method' in value || 'result' in value || 'error' in value;
  return isMessage ? { kind: 'message', at, from: speaker.of(value), json } : undefined;
}

function unknown(input: Input, { line }: NdjsonLine): never {
  throw badInput(input, 'the line is neither a JSON-RPC message nor an event', line);
}

function sideOf(from: unknown): Side | undefined {
  return from === 'client' || from === 'server' ? from : undefined;
}

/** Decodes the bytes of an event. */
function revived(event: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(event).map(([key, value]) => [
    key,
    isObject(value) && typeof value.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value,
  ]);
  return Object.fromEntries(entries);
}
