import { expect, it } from 'vitest';
import type { LineFrame } from '../../src/channel/frame.ts';
import { bodyToMessage, lineToMessage } from '../../src/channel/line-to-message.ts';

const line = (data: string | Uint8Array, on: LineFrame['on'] = 'protocol'): LineFrame => ({
  kind: 'line',
  at: 5,
  from: 'server',
  on,
  data,
});

it.each(['{"id":1}', '[{"id":1}]', ' \t{}\r', '\n {}\n', '[]'])('%j is a message, with its text as it came', (data) => {
  const frame = lineToMessage(line(data));
  expect(frame).toMatchObject({ kind: 'message', at: 5, from: 'server', json: { text: data } });
});

it.each(['', 'ready', '"text"', '12', 'null', '{"a":', '{} trailing', '\ufeff{}'])('%j stays noise', (data) => {
  const frame = line(data);
  expect(lineToMessage(frame)).toBe(frame);
});

it('a byte order mark is no part of a body', () => {
  expect(bodyToMessage(line('\ufeff{"id":1}'))).toMatchObject({ kind: 'message', json: { text: '{"id":1}' } });
  const page = line('\ufeff<html>');
  expect(bodyToMessage(page)).toBe(page);
});

it('standard error and bytes that are not text stay noise', () => {
  expect(lineToMessage(line('{}', 'stderr')).kind).toBe('line');
  expect(lineToMessage(line(Uint8Array.of(0x7b, 0x7d))).kind).toBe('line');
});
