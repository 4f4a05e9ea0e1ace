import type { Frame, Side } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { badInput, type ConvertedSession, type Input, recordedAt } from '../converter-types.ts';
import { memberOf, type NdjsonLine, readNdjson } from '../read-ndjson.ts';

const VERSION_MAX = 2;

/**
 * Reads a cassette of mcp-cassette (npm), versions 1 and 2: a header, then one line per `frame`, `raw` line, or stream
 * of `chunks`.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromMcpCassette(input: Input): ConvertedSession {
  const lost: string[] = [];
  const [head, ...rest] = readNdjson(input, lost);
  const version = Number(head?.value.cassetteVersion);
  if (!(version <= VERSION_MAX)) throw badInput(input, `its cassetteVersion is ${head?.value.cassetteVersion}`, 1);
  const { startedAt, transport, url } = head!.value;
  const frames = rest.flatMap((line) => framesOf(line)).sort((a, b) => a.at - b.at);
  const unknown = rest.filter(({ value }) => !['frame', 'raw', 'chunks'].includes(String(value.type))).length;
  return {
    // The format does not record exchanges, so an HTTP session becomes a stdio session.
    header: { transport: 'stdio', ...recordedAt(startedAt) },
    frames,
    lost: [
      ...lost,
      ...(transport === 'http' ? [`Exchanges and statuses of HTTP (${String(url ?? 'no URL')}).`] : []),
      ...(unknown > 0 ? [`${unknown} entries of types that are not known.`] : []),
    ],
  };
}

function framesOf({ value, member, json }: NdjsonLine): Frame[] {
  const { type, t, dir, data, chunks } = value;
  const from: Side = dir === 'c2s' ? 'client' : 'server';
  const at = Number(t) || 0;
  if (type === 'raw') return [{ kind: 'line', at, from, on: 'protocol', data: String(data) }];
  if (type === 'frame') return messageAt(at, from, member('frame'));
  if (type !== 'chunks' || !Array.isArray(chunks)) return [];
  return chunks.flatMap((chunk, index) =>
    messageAt(isObject(chunk) ? Number(chunk.t) || at : at, from, memberOf(json.text, 'chunks', index, 'frame')),
  );
}

function messageAt(at: number, from: Side, json: NdjsonLine['json'] | undefined): Frame[] {
  return json === undefined ? [] : [{ kind: 'message', at, from, json }];
}
