import { expect, it } from 'vitest';
import { undetectedMixUps } from '../../src/load/undetected-mix-ups.ts';
import { cassette as cassetteOf, client, request, result, server } from '../support/conversation.ts';

const sendSameValues = (cassettes: Parameters<typeof undetectedMixUps>[0]) =>
  undetectedMixUps(cassettes).some((note) => note.startsWith('All sessions send the same values'));
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

it('a tool whose calls all have the same answer is named', () => {
  const session = (city: string, price: string, weather: string) =>
    cassetteOf(
      opening(0),
      client(request(1, 'tools/call', { name: 'price', arguments: { city } })),
      server(result(1, price)),
      call(2, city),
      server(result(2, weather)),
    );
  const [oslo, rome] = [session('Oslo', '3 EUR', 'sunny'), session('Rome', '3 EUR', 'rain')];
  expect(undetectedMixUps([oslo, rome])).toEqual([
    'All recorded answers of tools/call "price" are the same, so a server that gives one client the answer of another is not found there. Add a cassette in which they differ.',
  ]);
  expect(undetectedMixUps([oslo, session('Rome', '4 EUR', 'rain')])).toEqual([]);
});
