import { expect, it } from 'vitest';
import type { LineFrame } from '../../src/channel/frame.ts';
import { lineToMessage } from '../../src/channel/line-to-message.ts';

const line = (data: string | Uint8Array, on: LineFrame['on'] = 'protocol'): LineFrame => ({
  kind: 'line',
  at: 5,
  from: 'server',
  on,
  data,
});

it.each(['{"id":1}', '[{"id":1}]', ' \t{}\r', '[]'])('%j is a message, with its text as it came', (data) => {
  const frame = lineToMessage(line(data));
  expect(frame).toMatchObject({ kind: 'message', at: 5, from: 'server', json: { text: data } });
});

it.each(['', 'ready', '"text"', '12', 'null', '{"a":', '{} trailing', '\ufeff{}'])('%j stays noise', (data) => {
  const frame = line(data);
  expect(lineToMessage(frame)).toBe(frame);
});

it('standard error and bytes that are not text stay noise', () => {
  expect(lineToMessage(line('{}', 'stderr')).kind).toBe('line');
  expect(lineToMessage(line(Uint8Array.of(0x7b, 0x7d))).kind).toBe('line');
});
