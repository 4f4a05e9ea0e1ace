/** Cassettes for benches, as a recorder writes them. */
import { endText, eventText, headerText } from '../dist/cassette/write/format-event.js';
import { JsonText } from '../dist/protocol/json-text.js';

export const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1' },
};
export const OPENING = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** A session that opens, and then makes `calls` calls: `params(n)` is answered by `result(n)`. */
export function cassetteOf(calls, { params, result }) {
  let at = 0;
  const said = (from, message) => {
    const json = new JsonText(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return eventText({ kind: 'message', at: at++, from, json });
  };
  const all = Array.from({ length: calls }, (_, n) => [
    said('client', { id: n + 1, method: 'tools/call', params: params(n) }),
    said('server', { id: n + 1, result: result(n) }),
  ]);
  return [
    headerText({ format: 'mcp-record/1', recorder: 'mcp-record bench', transport: 'stdio' }),
    said('client', { id: 0, method: 'initialize', params: OPENING }),
    said('server', { id: 0, result: INITIALIZED }),
    said('client', { method: 'notifications/initialized' }),
    ...all.flat(),
    endText('complete'),
  ].join('');
}
