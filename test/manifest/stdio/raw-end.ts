import type { Channel } from '../../../src/channel/channel.ts';
import { type OutputStream, otherSide, type Side, type WireFrame } from '../../../src/channel/frame.ts';

const at = 0;

/** One end of the pipes of a process, that says and hears bytes. */
export interface RawEnd {
  /** Writes in one piece, or byte by byte. */
  write(data: Buffer, on?: OutputStream, piecemeal?: boolean): void;
  /** Stops writing. */
  close(): void;
  signal(signal: string): void;
  exit(status: number | string): void;
  /** Resolves with all that was heard on the stream, when that is at least `length` bytes. */
  hears(length: number, on?: OutputStream): Promise<Buffer>;
  /** Resolves when the other end closes, signals or exits: with the signal or the status, if there is one. */
  told(kind: 'close' | 'signal' | 'exit'): Promise<number | string | undefined>;
}

export function rawEnd(side: Side, channel: Channel): RawEnd {
  const heard: Record<OutputStream, Buffer> = { protocol: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const frames: WireFrame[] = [];
  const waiting = new Set<() => void>();
  channel.listen((frame) => {
    if (frame.from !== otherSide(side)) return;
    if (frame.kind === 'bytes') heard[frame.on] = Buffer.concat([heard[frame.on], frame.data]);
    else frames.push(frame);
    for (const check of waiting) check();
  });
  const once = <T>(look: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const check = () => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });

  return {
    write(data, on = 'protocol', piecemeal = false) {
      const pieces = piecemeal ? [...data].map((byte) => Buffer.of(byte)) : [data];
      for (const piece of pieces) channel.send({ kind: 'bytes', at, from: side, on, data: piece });
    },
    close: () => void channel.send({ kind: 'close', at, from: side }),
    signal: (signal) => void channel.send({ kind: 'signal', at, from: 'client', signal }),
    exit: (status) => void channel.send({ kind: 'exit', at, from: 'server', status }),
    hears: (length, on = 'protocol') => once(() => (heard[on].length >= length ? heard[on] : undefined)),
    async told(kind) {
      const frame = await once(() => frames.find((one) => one.kind === kind));
      frames.splice(frames.indexOf(frame), 1);
      return frame.kind === 'signal' ? frame.signal : frame.kind === 'exit' ? frame.status : undefined;
    },
  };
}
