import type { WireFrame } from '../../channel/frame.ts';
import type { FaultContext } from '../fault.ts';

/** Joins consecutive frames of protocol bytes, so that one write sends them. */
export function joinByteFrames(
  frames: readonly WireFrame[],
  { encode, clock, from }: Pick<FaultContext, 'encode' | 'clock' | 'from'>,
): WireFrame[] {
  const burst: WireFrame[] = [];
  let joined: Uint8Array[] = [];
  const flush = () => {
    if (joined.length === 0) return;
    burst.push({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data: Buffer.concat(joined) });
    joined = [];
  };
  for (const frame of frames) {
    const isErr = frame.kind === 'line' && frame.on === 'stderr';
    const data = frame.kind === 'bytes' ? frame.data : isErr ? new Uint8Array(0) : encode(frame);
    if (data.length > 0) joined.push(data);
    else {
      flush();
      burst.push(frame);
    }
  }
  flush();
  return burst;
}
