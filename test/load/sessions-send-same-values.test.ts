import { expect, it } from 'vitest';
import { sendSameValues } from '../../src/load/sessions-send-same-values.ts';
import { cassette as cassetteOf, client, request } from '../support/conversation.ts';

const opening = (id: number, name = 'x') => client(request(id, 'initialize', { clientInfo: { name } }));
const call = (id: number, city: string) => client(request(id, 'tools/call', { name: 'weather', arguments: { city } }));

it('one session does, however many clients play it', () => {
  expect(sendSameValues([cassetteOf(opening(0), call(1, 'Oslo'))])).toBe(true);
});

it('so do two sessions that differ in their ids and their client alone', () => {
  const [one, two] = [cassetteOf(opening(0), call(1, 'Oslo')), cassetteOf(opening(7, 'y'), call(8, 'Oslo'))];
  expect(sendSameValues([one, two])).toBe(true);
});

it('two cassettes with other values do not', () => {
  expect(sendSameValues([cassetteOf(opening(0), call(1, 'Oslo')), cassetteOf(opening(0), call(1, 'Rome'))])).toBe(
    false,
  );
});

it('two sessions in one cassette with other values do not', () => {
  expect(sendSameValues([cassetteOf(opening(0), call(1, 'Oslo'), opening(2), call(3, 'Rome'))])).toBe(false);
});

it('sessions without an opening are told apart by their file', () => {
  expect(sendSameValues([cassetteOf(call(1, 'Oslo'))])).toBe(true);
  expect(sendSameValues([cassetteOf(call(1, 'Oslo')), cassetteOf(call(1, 'Rome'))])).toBe(false);
});
