import type { Channel } from '../../../src/channel/channel.ts';
import { otherSide, type Side } from '../../../src/channel/frame.ts';
import { Inbox } from './inbox.ts';
import type { Message } from './line.ts';
import type { Peer } from './peer.ts';

/** A side that speaks lines of JSON over the bytes of `channel`; as server, it exits when its input ends. */
export function stdioPeer(side: Side, channel: Channel): Peer {
  const inbox = new Inbox(side);
  const at = 0;
  let text = '';
  channel.listen((frame) => {
    if (frame.kind === 'close' && side === 'server') {
      channel.send({ kind: 'close', at, from: side });
      channel.send({ kind: 'exit', at, from: side, status: 0 });
    }
    if (frame.kind !== 'bytes' || frame.from !== otherSide(side)) return;
    text += Buffer.from(frame.data).toString();
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) inbox.put(JSON.parse(line) as Message);
  });
  return {
    inbox,
    say({ message }) {
      const data = Buffer.from(`${JSON.stringify(message)}\n`);
      channel.send({ kind: 'bytes', at, from: side, on: 'protocol', data });
    },
    close: () => void channel.send({ kind: 'close', at, from: side }),
  };
}
