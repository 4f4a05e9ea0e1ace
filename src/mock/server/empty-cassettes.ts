import { type Cassette, FORMAT } from '../../cassette/cassette.ts';
import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { META } from '../../protocol/meta.ts';
import { FIRST_MODERN } from '../../protocol/revisions.ts';

/** The name of a mock server without a cassette, for messages. */
export const NO_CASSETTE = 'The mock server';

/** Returns a cassette without entries, for revisions up to 2025-11-25. */
export function emptyCassette(): Cassette {
  return { file: NO_CASSETTE, header: { format: FORMAT, transport: 'stdio' }, events: [], warnings: [] };
}

/** Returns a cassette whose only entries show revision 2026-07-28. */
export function emptyModernCassette(): Cassette {
  const _meta = { [META.protocolVersion]: FIRST_MODERN };
  const frames: Frame[] = [
    messageOf('client', { id: 0, method: 'tools/list', params: { _meta } }),
    messageOf('server', { id: 0, result: { resultType: 'complete', tools: [] } }),
  ];
  return { ...emptyCassette(), events: frames.map((frame) => ({ frame, line: 0 })) };
}

function messageOf(from: 'client' | 'server', message: object): Frame {
  return { kind: 'message', at: 0, from, json: new JsonText(JSON.stringify({ jsonrpc: '2.0', ...message })) };
}
