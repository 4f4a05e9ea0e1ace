import { expect, it } from 'vitest';
import type { WireFrame } from '../../../src/channel/frame.ts';
import { memoryPair } from '../../../src/channel/memory-pair.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { lineChannel } from '../../../src/transports/stdio/line-channel.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('makes messages and lines of the bytes of both streams, the unfinished last lines too', async () => {
  const [client, server] = memoryPair();
  const heard: unknown[] = [];
  lineChannel(client, 'server', new ManualClock()).listen((frame) => {
    if (frame.kind === 'message') heard.push(frame.json.value);
    else heard.push(frame.kind === 'line' ? [frame.on, frame.data, frame.partial] : frame.kind);
  });
  const says = (on: 'protocol' | 'stderr', text: string) =>
    server.send({ kind: 'bytes', at: 0, from: 'server', on, data: Buffer.from(text) });
  says('protocol', '{"a":');
  says('stderr', 'warning');
  says('protocol', '1}\nplain\nrest');
  server.send({ kind: 'close', at: 0, from: 'server' });
  server.send({ kind: 'exit', at: 0, from: 'server', status: 0 });
  await turn();
  expect(heard).toEqual([
    { a: 1 },
    ['protocol', 'plain', undefined],
    ['protocol', 'rest', true],
    'close',
    ['stderr', 'warning', true],
    'exit',
  ]);
});

it('says messages as lines, and passes on what is none', async () => {
  const [client, server] = memoryPair();
  const heard: unknown[] = [];
  server.listen((frame: WireFrame) =>
    heard.push(frame.kind === 'bytes' ? [frame.from, Buffer.from(frame.data).toString()] : frame.kind),
  );
  const channel = lineChannel(client, 'server', new ManualClock());
  channel.send({ kind: 'message', at: 0, from: 'client', json: new JsonText('{"é": 1.0}') });
  channel.send({ kind: 'signal', at: 0, from: 'client', signal: 'SIGTERM' });
  channel.send({ kind: 'close', at: 0, from: 'client' });
  await turn();
  expect(heard).toEqual([['client', '{"é": 1.0}\n'], 'signal', 'close']);
});
