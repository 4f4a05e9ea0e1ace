import { endText, eventText, headerText } from '../../src/cassette/write/format-event.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

const said = (from: 'client' | 'server', text: string): Frame => ({
  kind: 'message',
  at: 0,
  from,
  json: new JsonText(text),
});
const heard = (on: 'protocol' | 'stderr', data: string | Uint8Array): Frame => ({
  kind: 'line',
  at: 0,
  from: 'server',
  on,
  data,
});

/** A frame of each kind, and texts that are hard to cut. */
export const SESSION_FRAMES: readonly Frame[] = [
  said('client', '{"method":"initialize","params":{"é":"日本語😀"},"jsonrpc":"2.0","id":0}'),
  heard('stderr', 'Starting: "now"'),
  said('server', '{"result":{"text":"one\\n- two\\n\\n  three\\n","list":[[1.0,{}],[]]},"jsonrpc":"2.0","id":0}'),
  heard('protocol', '- not: JSON'),
  said('client', '[{"id":1e2},{"id":"a"}]'),
  heard('protocol', Uint8Array.of(0xff, 0x0a, 0xfe)),
  { kind: 'line', at: 0, from: 'server', on: 'protocol', data: '{"id":', partial: true },
  { kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' },
  { kind: 'close', at: 0, from: 'server' },
  { kind: 'exit', at: 0, from: 'server', status: 143 },
];

/** A short recording, whole. */
export const SESSION: string =
  headerText({
    format: 'mcp-record/1',
    recorder: 'mcp-record 0.1.0',
    recorded: '2026-11-21T03:02:15Z',
    transport: 'stdio',
  }) +
  SESSION_FRAMES.map((frame, index) => eventText(frame, index % 3 === 1 ? 100 : undefined)).join('') +
  endText('complete');
