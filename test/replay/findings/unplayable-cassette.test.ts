import { expect, it } from 'vitest';
import { unplayableIn } from '../../../src/replay/findings/unplayable-cassette.ts';
import { call, client, request, result, server, tape } from '../../support/conversation.ts';

it('names what another process cannot play, on the side that it plays', () => {
  const cassette = tape(client(call(1, 'a')), server(result(2, 'A')));
  const texts = unplayableIn(cassette, 'server').map(({ kind, text }) => [kind, text.slice(0, 12)]);
  expect(texts).toEqual([
    ['unplayable', 'tape.yaml:1 '],
    ['unplayable', 'tape.yaml:2 '],
  ]);
});

it('is silent on a cassette that can be played, on either side', () => {
  const cassette = tape(client(request(1, 'tools/list')), server(result(1, 'tools')));
  expect([...unplayableIn(cassette, 'server'), ...unplayableIn(cassette, 'client')]).toEqual([]);
});
