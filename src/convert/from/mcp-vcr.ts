import { yamlData } from '../../cassette/read/yaml/located-data.ts';
import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { badInput, type ConvertedSession, type Input, recordedAt } from '../converter-types.ts';

/**
 * Reads a transcript of mcp-vcr, version 1: `meta`, and `messages` with `t`, `dir` and `payload`.
 * @throws McpRecordError CONVERT_BAD_INPUT, CASSETTE_DAMAGED for invalid YAML
 */
export function fromMcpVcr(input: Input): ConvertedSession {
  const data = yamlData({ ...input, line: 1 }, { areRounded: true });
  const { meta, messages } = isObject(data.value) ? data.value : {};
  if (!Array.isArray(messages)) throw badInput(input, 'it has no list of "messages"');
  const frames = messages.map((message: unknown, index): Frame => {
    const { t, dir, payload } = isObject(message) ? message : {};
    const isWhole = (dir === 'c2s' || dir === 's2c') && typeof payload === 'object';
    if (!isWhole) throw badInput(input, 'a message needs "dir" and "payload"', data.placeOf(['messages', index]).line);
    const from = dir === 'c2s' ? 'client' : 'server';
    return { kind: 'message', at: Number(t) || 0, from, json: new JsonText(JSON.stringify(payload)) };
  });
  const recorded = isObject(meta) ? meta.recorded_at : undefined;
  return {
    header: { transport: 'stdio', ...recordedAt(recorded) },
    frames,
    lost: isObject(meta) && meta.server_command !== undefined ? ['The command of the server.'] : [],
  };
}
