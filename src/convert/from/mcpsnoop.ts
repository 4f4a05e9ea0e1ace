import type { Frame, Side } from '../../channel/frame.ts';
import { instantOf } from '../../kernel/clock.ts';
import { badInput, type ConvertedSession, type Input, recordedAt } from '../converter-types.ts';
import { type NdjsonLine, readNdjson } from '../read-ndjson.ts';

/**
 * Reads a log of mcpsnoop: one line per observation, with `ts`, `direction`, and `raw`, or `text` if it was not JSON.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromMcpsnoop(input: Input): ConvertedSession {
  const lost: string[] = [];
  const lines = readNdjson(input, lost).sort((a, b) => Number(a.value.seq) - Number(b.value.seq));
  const observed = lines.filter(({ value }) => value.direction !== 'meta');
  const begun = String(observed[0]?.value.ts ?? '');
  const started = instantOf(begun).getTime();
  const frames = observed.flatMap((line) => frameOf(line, started));
  if (frames.length === 0) throw badInput(input, 'it has no messages');
  const count = (is: (line: NdjsonLine) => boolean) => observed.filter(is).length;
  const truncated = count(({ value }) => value.truncated === true);
  const empty = observed.length - frames.length;
  const isHttp = observed.some(({ value }) => value.transport === 'http');
  const clients = new Set(observed.map(({ value }) => value.conn_id ?? '')).size;
  return {
    header: { transport: 'stdio', ...recordedAt(begun) },
    frames,
    lost: [
      ...lost,
      // The format does not record exchanges, so an HTTP session becomes a stdio session.
      ...(isHttp ? ['Exchanges, statuses and headers of HTTP.'] : []),
      ...(clients > 1 ? [`That ${clients} connections were different clients.`] : []),
      ...(empty > 0 ? [`${empty} answers of HTTP without a message.`] : []),
      ...(truncated > 0 ? [`${truncated} messages were cut off by mcpsnoop.`] : []),
    ],
  };
}

function frameOf({ value, member }: NdjsonLine, started: number): Frame[] {
  const { direction, ts, text } = value;
  const at = Math.max(0, instantOf(String(ts)).getTime() - started) || 0;
  const from: Side = direction === 'c2s' ? 'client' : 'server';
  const json = member('raw');
  if (json !== undefined) return [{ kind: 'message', at, from, json }];
  if (typeof text !== 'string') return [];
  return [{ kind: 'line', at, from, on: direction === 'stderr' ? 'stderr' : 'protocol', data: text }];
}
