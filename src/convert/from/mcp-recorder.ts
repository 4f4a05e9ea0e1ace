import type { Frame } from '../../channel/frame.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { elementsIn } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { badInput, type ConvertedSession, type Input, jsonOf, plainUrl, recordedAt } from '../converter-types.ts';
import { memberOf } from '../read-ndjson.ts';

const OK = 200;
const ACCEPTED = 202;

/**
 * Reads a cassette of mcp-recorder, version 1.0: pairs of an HTTP request and its response.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromMcpRecorder(input: Input): ConvertedSession {
  void jsonOf(input);
  const list = memberOf(input.text, 'interactions');
  if (!Array.isArray(list?.value)) throw badInput(input, 'it has no list of "interactions"');
  const { recorded_at: recorded, server_url: url } = metadataOf(input);
  let at = 0;
  const frames = elementsIn(list.text).flatMap(({ start, end }, index) => {
    const exchange = framesOf(new JsonText(list.text.slice(start, end)), at, index + 1);
    at = exchange.at(-1)?.at ?? at;
    return exchange;
  });
  const unanswered = frames.filter(isFirstOfMore).length;
  const isHttp = typeof url === 'string' && /^https?:/.test(url);
  return {
    header: {
      transport: isHttp ? 'http' : 'stdio',
      ...recordedAt(recorded),
      ...(isHttp && plainUrl(url)),
    },
    frames: isHttp ? frames : frames.filter(({ kind }) => kind === 'message').map(withoutHttp),
    lost: [
      'It keeps pairs: which calls overlapped, and the time between them, was lost when it was recorded.',
      ...(unanswered > 0
        ? [`${formatCount(unanswered, 'answer')} on a stream: of a stream it keeps the first message alone.`]
        : []),
    ],
  };
}

function metadataOf({ text }: Input): Record<string, unknown> {
  const metadata = memberOf(text, 'metadata')?.value;
  return isObject(metadata) ? metadata : {};
}

/** Returns the frames of one interaction. The response follows `latency_ms` after the request. */
function framesOf({ text, value }: JsonText, at: number, stream: number): Frame[] {
  if (!isObject(value)) return [];
  const { response_is_sse: isSse, response_status, latency_ms, http_method } = value;
  const status = typeof response_status === 'number' ? response_status : OK;
  const [request, response] = [memberOf(text, 'request'), memberOf(text, 'response')];
  const later = at + (Number(latency_ms) || 0);
  const asked: Frame[] = isObject(request?.value)
    ? [{ kind: 'message', at, from: 'client', stream, json: request }]
    : [{ kind: 'open', at, from: 'client', stream, method: String(http_method ?? 'GET') }];
  if (isObject(response?.value)) {
    const carried = { ...(isSse === true ? { sse: {} } : {}), ...(status !== OK && { status }) };
    return [...asked, { kind: 'message', at: later, from: 'server', stream, json: response, ...carried }];
  }
  const isOrdinary = isObject(request?.value) ? status === ACCEPTED && !isRequest(request.value) : status === OK;
  if (isOrdinary && isSse !== true) return asked;
  return [
    ...asked,
    { kind: 'http-response', at: later, from: 'server', stream, status: isSse === true ? 'sse' : status },
  ];
}

/** Reports whether a frame is a server's message that precedes the answer on a request's stream. */
function isFirstOfMore(frame: Frame): boolean {
  return frame.kind === 'message' && frame.from === 'server' && !isResponse(frame.json.value);
}

function withoutHttp(frame: Frame): Frame {
  if (frame.kind !== 'message') return frame;
  const { stream, sse, status, ...rest } = frame;
  return rest;
}
