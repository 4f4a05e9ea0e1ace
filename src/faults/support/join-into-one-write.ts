import type { WireFrame } from '../../channel/frame.ts';
import type { FaultContext } from '../fault.ts';

/** Reports whether {@link joinByteFrames} joins any of these frames with another one. */
export function canJoin(frames: readonly WireFrame[], measure: FaultContext['measure']): boolean {
  const hasBytes = (frame: WireFrame | undefined) =>
    frame !== undefined && (frame.kind === 'bytes' ? frame.data.length > 0 : !isOnStderr(frame) && measure(frame) > 0);
  return frames.some((frame, n) => hasBytes(frame) && hasBytes(frames[n + 1]));
}

function isOnStderr(frame: WireFrame): boolean {
  return frame.kind === 'line' && frame.on === 'stderr';
}

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
    const data = frame.kind === 'bytes' ? frame.data : isOnStderr(frame) ? new Uint8Array(0) : encode(frame);
    if (data.length > 0) joined.push(data);
    else {
      flush();
      burst.push(frame);
    }
  }
  flush();
  return burst;
}
