import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { CassetteSelector } from '../../../src/replay/http/cassette-selector.ts';
import { httpCassette } from '../../../src/replay/http/http-cassette.ts';
import { call, cassette, client, request } from '../../support/conversation.ts';

const opening = (protocolVersion: string, name = 'c') =>
  request(0, 'initialize', { protocolVersion, clientInfo: { name } });
const list = request(1, 'tools/list');

/** Which of the cassettes, each of what its client asked, is for a client that asks `heard`. */
function chosen(cassettes: unknown[][], ...heard: unknown[]): number {
  const pieces = cassettes.map((asked) => httpCassette(cassette(...asked.map((message) => client(message)))));
  const repertoire = new CassetteSelector(pieces);
  return pieces.indexOf(repertoire.choose(heard.map((message) => new JsonText(JSON.stringify(message)))));
}

describe('of several cassettes a session is given', () => {
  const first = opening('2025-06-18');
  const second = opening('2025-11-25');

  it.each([
    ['the one that opens as it does', [[first], [opening('2025-11-25', 'other')], [second]], [second], 2],
    ['else one of its revision', [[first], [opening('2025-11-25', 'other')]], [second], 1],
    ['else the first', [[first], [first]], [second], 0],
    [
      'the one that has what it asks last',
      [
        [second, list],
        [first, call(2, 'a')],
      ],
      [second, list, call(9, 'a')],
      1,
    ],
    [
      'of those the one that has most of the rest',
      [
        [first, call(1, 'a')],
        [first, list, call(2, 'a')],
      ],
      [first, list, call(3, 'a')],
      1,
    ],
    ['the one that has most, where none has that', [[first], [first, list]], [first, list, call(3, 'b')], 1],
  ])('%s', (_name, cassettes, heard, expected) => {
    expect(chosen(cassettes, ...heard)).toBe(expected);
  });

  it('those that are alike in turn', () => {
    const pieces = [1, 2, 3].map(() => httpCassette(cassette(client(call(1, 'a')))));
    const repertoire = new CassetteSelector(pieces);
    const heard = [new JsonText(JSON.stringify(call(5, 'a')))];
    const given = [1, 2, 3, 4].map(() => {
      const piece = repertoire.choose(heard);
      repertoire.assign(piece);
      return pieces.indexOf(piece);
    });
    expect(given).toEqual([0, 1, 2, 0]);
  });

  it('the one that has it but for what is ignored', () => {
    const pieces = [call(1, 'a', { now: 1 }), call(1, 'b')].map((asked) => httpCassette(cassette(client(asked))));
    const repertoire = new CassetteSelector([...pieces].reverse(), ['/params/arguments/now']);
    expect(repertoire.choose([new JsonText(JSON.stringify(call(1, 'a', { now: 2 })))])).toBe(pieces[0]);
  });
});

it('a cassette without initialize has all requests of a client that sends it, after one that has initialize, too', () => {
  const asked = [
    [call(1, 'a'), call(2, 'b')],
    [opening('2025-06-18', 'other'), call(1, 'a'), call(2, 'b')],
    [call(1, 'a')],
  ];
  const pieces = asked.map((messages) => httpCassette(cassette(...messages.map((message) => client(message)))));
  const heard = [opening('2025-11-25'), call(7, 'a'), call(8, 'b')];
  const fitting = new CassetteSelector(pieces).containingAll(
    heard.map((message) => new JsonText(JSON.stringify(message))),
  );
  expect(fitting.map((one) => pieces.indexOf(one))).toEqual([1, 0]);
});
