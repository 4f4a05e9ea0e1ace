import { expect, it } from 'vitest';
import type { Frame, WireFrame } from '../../../src/channel/frame.ts';
import { streamEndingFault } from '../../../src/faults/support/stream-ending-fault.ts';

const line = (data: string): Frame => ({ kind: 'line', at: 0, from: 'server', on: 'protocol', data });
const exit: WireFrame = { kind: 'exit', at: 0, from: 'server', status: 0 };

it('all passes until it strikes, and then only what outlives the stream', () => {
  const passed: WireFrame[] = [];
  const struck: unknown[] = [];
  const segment = streamEndingFault({
    next: (frame) => passed.push(frame),
    strike: (frame) => struck.push(frame),
    outlives: (frame) => frame.kind === 'exit',
  });
  segment.pass?.(line('before'));
  expect(segment.isOver).toBe(false);

  segment.hit(line('hit'));
  segment.pass?.(line('after'));
  segment.pass?.(exit);

  expect(segment.isOver).toBe(true);
  expect(struck).toEqual([line('hit')]);
  expect(passed).toEqual([line('before'), exit]);
});

it('nothing outlives a stream unless said', () => {
  const passed: WireFrame[] = [];
  const segment = streamEndingFault({ next: (frame) => passed.push(frame), strike() {} });
  segment.hit(line('hit'));
  segment.pass?.(exit);
  expect(passed).toEqual([]);
});
