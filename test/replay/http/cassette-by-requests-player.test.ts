import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { CassetteByRequestsPlayer } from '../../../src/replay/http/cassette-by-requests-player.ts';
import { CassetteSelector } from '../../../src/replay/http/cassette-selector.ts';
import type { HttpCassette } from '../../../src/replay/http/http-cassette.ts';
import { call, client, notification, request, result, server } from '../../support/conversation.ts';
import { named, performed } from '../performed.ts';

const opens = request(0, 'initialize');
const lists = request(1, 'tools/list');

/** A session in which the tool `name` was called. */
const session = (name: string) =>
  named(
    `${name}.yaml`,
    client(opens),
    server(result(0, `hello from ${name}`)),
    client(notification('initialized')),
    client(lists),
    server(result(1, `tools of ${name}`)),
    client(call(2, name)),
    server(result(2, name)),
    client(call(3, 'end')),
    server(result(3, `end of ${name}`)),
  );

const cast = (...cassettes: HttpCassette[]) => {
  const repertoire = new CassetteSelector(cassettes);
  return () => performed((craft) => new CassetteByRequestsPlayer(repertoire, craft));
};

describe('a session that may be given one of several cassettes', () => {
  it('is given the one that has its first call, and keeps it', () => {
    const { asks, findings } = cast(session('a'), session('b'))();
    expect(asks(1, opens)).toEqual([[1, result(0, 'hello from a')]]);
    expect(asks(2, notification('initialized'))).toEqual([]);
    expect(asks(3, lists)).toEqual([[3, result(1, 'tools of a')]]);
    expect(asks(4, call(2, 'b'))).toEqual([[4, result(2, 'b')]]);
    expect(asks(5, call(3, 'end'))).toEqual([[5, result(3, 'end of b')]]);
    expect(findings).toEqual([]);
  });

  it('is given another for a list that the likely one lacks', () => {
    const without = named('without.yaml', client(opens), server(result(0, 'hello')));
    const { asks, findings } = cast(without, session('b'))();
    asks(1, opens);
    expect(asks(2, lists)).toEqual([[2, result(1, 'tools of b')]]);
    expect(findings).toEqual([]);
  });

  it('changes to a hand-written cassette without initialize that has all of its calls', () => {
    const written = (...names: string[]) =>
      named(
        `${names}.yaml`,
        ...names.flatMap((name, n) => [client(call(n + 1, name)), server(result(n + 1, `${name} of ${names}`))]),
      );
    const { asks, findings } = cast(written('Rome'), written('Rome', 'Oslo'))();
    for (const message of [opens, notification('initialized')]) asks(1, message);
    expect(asks(2, call(2, 'Rome'))).toEqual([[2, result(2, 'Rome of Rome')]]);
    expect(asks(3, call(3, 'Oslo'))).toEqual([[3, result(3, 'Oslo of Rome,Oslo')]]);
    expect(findings.filter(({ kind }) => kind !== 'default')).toEqual([]);
  });

  it('misses what its own cassette lacks, be it on another', () => {
    const { asks, findings } = cast(session('a'), session('b'))();
    for (const message of [opens, call(2, 'a')]) asks(1, message);
    expect(asks(3, call(3, 'b'))).toMatchObject([[3, { error: { code: -32603 } }]]);
    expect(findings).toMatchObject([{ kind: 'miss', text: expect.stringContaining('a.yaml') }]);
  });

  it('leaves the next of those that are alike to the next session', () => {
    const next = cast(...['1', '2'].map((text) => named(text, client(call(1, 'a')), server(result(1, text)))));
    const given = [next(), next(), next()].map(({ asks }) => asks(1, call(1, 'a')));
    expect(given).toEqual([[[1, result(1, '1')]], [[1, result(1, '2')]], [[1, result(1, '1')]]]);
  });

  describe('of two that begin alike', () => {
    const longer = (name: string, ...more: Frame[]) =>
      named(name, client(opens), server(result(0, name)), client(call(1, 'a')), server(result(1, name)), ...more);
    const twice = longer('twice', client(call(2, 'a')), server(result(2, 'again')));
    const withB = longer('with-b', client(call(2, 'b')), server(result(2, 'b')));

    it('is given the other where the one lacks what is asked later', () => {
      const { asks, performer, findings } = cast(twice, withB)();
      asks(1, opens);
      expect(asks(2, call(1, 'a'))).toEqual([[2, result(1, 'twice')]]);
      expect(asks(3, call(2, 'b'))).toEqual([[3, result(2, 'b')]]);
      expect(asks(4, call(3, 'b'))).toMatchObject([[4, { error: { code: -32603 } }]]);
      performer.finish();
      expect(findings.map(({ kind }) => kind)).toEqual(['miss']);
    });

    it('is given the other where the one has it once only', () => {
      const { asks, findings } = cast(longer('once', client(call(2, 'c'))), twice)();
      asks(1, opens);
      expect(asks(2, call(1, 'a'))).toEqual([[2, result(1, 'once')]]);
      expect(asks(3, call(2, 'a'))).toEqual([[3, result(2, 'again')]]);
      expect(findings).toEqual([]);
    });

    it('keeps the one while an answer of it is to come', () => {
      const asksBack = [client(call(2, 'slow')), server(request(9, 'roots/list')), client(result(9, 'roots'))];
      const waiting = longer('waiting', ...asksBack, server(result(2, 'done')));
      const other = longer('other', ...asksBack, client(call(3, 'b')), server(result(3, 'b')));
      const { asks, findings } = cast(waiting, other)();
      for (const message of [opens, call(1, 'a'), call(2, 'slow')]) asks(1, message);
      expect(asks(4, call(3, 'b'))).toMatchObject([[4, { error: { code: -32603 } }]]);
      expect(findings.map(({ kind }) => kind)).toEqual(['miss']);
    });

    it('leaves the one to the next session', () => {
      const next = cast(twice, withB);
      const [first, second, third] = [next(), next(), next()];
      for (const message of [opens, call(1, 'a'), call(2, 'b')]) first.asks(1, message);
      for (const { asks } of [second, third]) asks(1, opens);
      expect(second.asks(2, call(1, 'a'))).toEqual([[2, result(1, 'twice')]]);
      expect(third.asks(2, call(1, 'a'))).toEqual([[2, result(1, 'twice')]]);
    });
  });

  it('reports what it did not use of the cassette that it was given, and of no other', () => {
    const { asks, performer, findings } = cast(session('a'), session('b'))();
    for (const message of [opens, notification('initialized'), lists, call(2, 'b')]) asks(1, message);
    performer.finish();
    expect(findings.map(({ kind, text }) => [kind, text.match(/\w+\.yaml:\d+/g)])).toEqual([['unused', ['b.yaml:8']]]);
  });

  describe('whose server speaks first', () => {
    const up = notification('message', { level: 'info', data: 'up' });
    const asked = request('s-1', 'roots/list');
    const begun = (name: string, ...first: Frame[]) =>
      named(
        `${name}.yaml`,
        ...first,
        client(opens),
        server(result(0, name)),
        client(call(1, name)),
        server(result(1, name)),
      );

    it('hears that before it speaks, and once', () => {
      const { said, asks, findings } = cast(begun('a', server(up), server(up)))();
      expect(said()).toEqual([
        [undefined, up],
        [undefined, up],
      ]);
      expect(asks(1, opens)).toEqual([[1, result(0, 'a')]]);
      expect(asks(2, call(1, 'a'))).toEqual([[2, result(1, 'a')]]);
      expect(findings).toEqual([]);
    });

    it('hears it once where another cassette than the likely one turns out to be its own', () => {
      const { said, asks, findings } = cast(begun('a', server(up)), begun('b', server(up), server(asked)))();
      expect(said()).toEqual([[undefined, up]]);
      expect(asks(1, opens)).toEqual([[1, result(0, 'a')]]);
      expect(asks(2, call(1, 'b'))).toEqual([
        [undefined, asked],
        [2, result(1, 'b')],
      ]);
      expect(findings).toEqual([]);
    });

    it('used nothing of a cassette where it never spoke', () => {
      const { said, performer, findings } = cast(begun('a', server(up)))();
      expect(said()).toEqual([[undefined, up]]);
      performer.finish();
      expect(findings).toEqual([]);
    });
  });
});
