import { expect, it } from 'vitest';
import { unplayableIn } from '../../../src/replay/findings/unplayable-cassette.ts';
import { call, cassette as cassetteOf, client, request, result, server } from '../../support/conversation.ts';

it('names what another process cannot play, on the side that it plays', () => {
  const cassette = cassetteOf(client(call(1, 'a')), server(result(2, 'A')));
  const texts = unplayableIn(cassette, 'server').map(({ kind, text }) => [kind, text.slice(0, 16)]);
  expect(texts).toEqual([
    ['unplayable', 'cassette.yaml:1 '],
    ['unplayable', 'cassette.yaml:2 '],
  ]);
});

it('is silent on a cassette that can be played, on either side', () => {
  const cassette = cassetteOf(client(request(1, 'tools/list')), server(result(1, 'tools')));
  expect([...unplayableIn(cassette, 'server'), ...unplayableIn(cassette, 'client')]).toEqual([]);
});
