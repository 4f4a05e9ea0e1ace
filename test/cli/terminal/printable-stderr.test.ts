import { expect, it } from 'vitest';
import type { WireFrame } from '../../../src/channel/frame.ts';
import { printableStderr } from '../../../src/cli/terminal/printable-stderr.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { openParent } from '../../../src/transports/stdio/parent-channel.ts';

const STEER = 'a\u001b[2J\u009b\u202e\r\nb\n';

function sent(terminal: { isTTY?: boolean }): string[] {
  const frames: WireFrame[] = [];
  const parent = { ...openParent(new ManualClock()), send: (frame: WireFrame) => frames.push(frame) > 0 };
  const channel = printableStderr(parent, terminal);
  for (const on of ['stderr', 'protocol'] as const)
    channel.send({ kind: 'bytes', at: 0, from: 'server', on, data: Buffer.from(STEER) });
  return frames.map((frame) => (frame.kind === 'bytes' ? Buffer.from(frame.data).toString() : frame.kind));
}

it('lines of a recorded standard error cannot steer a terminal', () => {
  expect(sent({ isTTY: true })).toEqual(['a\\u001b[2J\\u009b\\u202e\nb\n', STEER]);
});

it('a program reads them as they were recorded', () => {
  expect(sent({})).toEqual([STEER, STEER]);
});
