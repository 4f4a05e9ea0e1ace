import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import { tellingSend } from '../../../src/replay/http/create-session-player.ts';
import { StatelessPlayer } from '../../../src/replay/http/stateless-player.ts';
import { call, cancel, client, notification, request, result, server } from '../../support/conversation.ts';
import { named, performed } from '../performed.ts';

const lists = request(1, 'tools/list');
const counts = named(
  'counts.yaml',
  client(call(1, 'count')),
  server(result(1, 'one')),
  client(call(2, 'count')),
  server(result(2, 'two')),
);

const plays = (...cassettes: (typeof counts)[]) => performed((craft) => new StatelessPlayer(cassettes, craft));

describe('clients that nothing tells apart', () => {
  it('hear a cassette from its beginning once it has no more', () => {
    const { asks, performer, findings } = plays(counts);
    const heard = [1, 2, 3].map((stream) => {
      const [said] = asks(stream, call(7, 'count'));
      performer.done(stream);
      return said;
    });
    expect(heard).toEqual([
      [1, result(7, 'one')],
      [2, result(7, 'two')],
      [3, result(7, 'one')],
    ]);
    expect(findings).toEqual([]);
  });

  const cities = named(
    'cities.yaml',
    client(lists),
    server(result(1, 'tools')),
    client(call(2, 'Oslo')),
    server(result(2, 'sunny')),
    client(call(3, 'Rome')),
    server(result(3, 'rain')),
  );

  it('miss a call that was made before, unless it begins the cassette', () => {
    const { asks, performer, findings } = plays(cities);
    const ask = (stream: number, message: object) => {
      const [[, said] = []] = asks(stream, message);
      performer.done(stream);
      return said;
    };
    for (const id of [4, 5]) {
      expect(ask(10 * id + 1, call(id, 'Oslo'))).toEqual(result(id, 'sunny'));
      expect(ask(10 * id + 2, call(10 * id, 'Rome'))).toEqual(result(10 * id, 'rain'));
      for (const again of [3, 4])
        expect(ask(10 * id + again, call(10 * id + again, 'Rome'))).toMatchObject({ error: { code: -32603 } });
      expect(ask(10 * id + 5, { ...lists, id: 10 * id + 5 })).toEqual(result(10 * id + 5, 'tools'));
    }
    expect(findings.map(({ kind }) => kind)).toEqual(['miss', 'miss', 'miss', 'miss']);
    expect(findings[0]!.text).toContain('Rome');
  });

  it('may begin anywhere with an id that was used before, since no client uses an id twice', () => {
    const { asks, performer, findings } = plays(cities);
    const heard = [call(1, 'Oslo'), call(2, 'Rome'), call(2, 'Rome'), call(3, 'Rome'), call(1, 'Oslo')].map(
      (message, stream) => {
        const [[, said] = []] = asks(stream, message);
        performer.done(stream);
        return said;
      },
    );
    const answers = [result(1, 'sunny'), result(2, 'rain'), result(2, 'rain')];
    expect(heard).toEqual([...answers, expect.objectContaining({ error: expect.anything() }), result(1, 'sunny')]);
    expect(findings.map(({ kind }) => kind)).toEqual(['miss']);
  });

  it('miss the call of another cassette that was made before', () => {
    const other = named(
      'other.yaml',
      client(lists),
      server(result(1, 'other')),
      client(call(2, 'a')),
      server(result(2, 'A')),
      client(call(3, 'b')),
      server(result(3, 'B')),
    );
    const { asks, findings } = plays(cities, other);
    expect(asks(1, call(1, 'b'))).toEqual([[1, result(1, 'B')]]);
    expect(asks(2, call(2, 'b'))).toMatchObject([[2, { error: {} }]]);
    expect(findings.map(({ kind }) => kind)).toEqual(['miss']);
  });

  it('are answered in turns, each from its own pass', () => {
    const { asks, performer, findings } = plays(cities);
    const heard = [call(1, 'Oslo'), call(2, 'Oslo'), call(3, 'Rome'), call(4, 'Rome'), call(5, 'Rome')].map(
      (message, stream) => {
        const said = asks(stream, message);
        performer.done(stream);
        return said[0]?.[1];
      },
    );
    expect(heard.slice(0, 4)).toEqual([result(1, 'sunny'), result(2, 'sunny'), result(3, 'rain'), result(4, 'rain')]);
    expect(heard[4]).toMatchObject({ error: {} });
    performer.finish();
    expect(findings.map(({ kind }) => kind)).toEqual(['miss', 'unused']);
    expect(findings[1]!.text).toContain('tools/list');
    expect(findings[1]!.text).not.toContain('Rome');
  });

  it('may begin with any call that was open beside the first one', () => {
    const beside = named(
      'beside.yaml',
      client(call(1, 'Oslo')),
      client(call(2, 'Rome')),
      server(result(1, 'sunny')),
      server(result(2, 'rain')),
    );
    const { asks, performer, findings } = plays(beside);
    for (const [stream, city] of ['Rome', 'Rome', 'Oslo', 'Oslo'].entries()) {
      asks(stream, call(stream, city));
      performer.done(stream);
    }
    expect(findings).toEqual([]);
  });

  it('are told at once what no cassette has', () => {
    const { asks, findings } = plays(counts, named('other.yaml', client(call(1, 'a'))));
    asks(1, call(1, 'count'));
    expect(asks(2, call(2, 'b'))).toMatchObject([[2, { id: 2, error: { code: -32603 } }]]);
    expect(findings.map(({ kind }) => kind)).toEqual(['miss']);
    expect(asks(3, call(3, 'count'))).toEqual([[3, result(3, 'two')]]);
  });

  it('are answered by whichever cassette has it', () => {
    const other = named('other.yaml', client(lists), server(result(1, 'tools')));
    const { asks, findings } = plays(counts, other);
    expect(asks(1, lists)).toEqual([[1, result(1, 'tools')]]);
    expect(asks(2, call(3, 'count'))).toEqual([[2, result(3, 'one')]]);
    expect(findings).toEqual([]);
  });

  describe('and listen', () => {
    const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
    const listens = (id: number | string) => request(id, 'subscriptions/listen', { notifications: {}, _meta });
    const changes = (id: number) => request(id, 'tools/call', { name: 'change', _meta });
    const told = (id: number | string) => notification('tools/list_changed', { _meta: { [META.subscriptionId]: id } });
    const listening = named(
      'listening.yaml',
      client(listens(1)),
      client(changes(2)),
      server(told(1)),
      server(result(2, 'changed')),
    );

    it('hear messages whose recorded ones are known', () => {
      const sent: [unknown, number][] = [];
      const { asks } = performed((craft) => {
        const note = (frame: Frame, { line }: SessionEntry) =>
          void sent.push([frame.kind === 'message' && frame.json.value, line]);
        const context = { ...craft, sent: note };
        return new StatelessPlayer([listening], { ...context, send: tellingSend(craft.send, context) });
      });
      asks(1, listens(11));
      asks(2, changes(2));
      const [, , notified, answered] = listening.plan.entries;
      expect(sent).toEqual([
        [told(11), notified!.line],
        [result(2, 'changed'), answered!.line],
      ]);
    });

    it('hear, all of them, what each of them brings about, each time', () => {
      const { asks, performer, findings } = plays(listening);
      expect(asks(1, listens(11))).toEqual([]);
      expect(asks(2, listens('b'))).toEqual([]);
      const heard = [3, 4].map((stream) => {
        const said = asks(stream, changes(stream));
        performer.done(stream);
        return said;
      });
      const toAll = [
        [1, told(11)],
        [2, told('b')],
      ];
      expect(heard).toEqual([
        [...toAll, [3, result(3, 'changed')]],
        [...toAll, [4, result(4, 'changed')]],
      ]);
      expect(findings).toEqual([]);
    });

    it('hear nothing of what they did not ask for, or of what was before', () => {
      const other = named(
        'other.yaml',
        client(request(1, 'subscriptions/listen', { notifications: { promptsListChanged: true }, _meta })),
        client(changes(2)),
        server(result(2, 'changed')),
      );
      const { asks } = plays(other, listening);
      const prompts = request(5, 'subscriptions/listen', {
        notifications: { promptsListChanged: true },
        _meta,
      });
      expect(asks(1, prompts)).toEqual([]);
      expect(asks(2, changes(2))).toEqual([[2, result(2, 'changed')]]);
      expect(asks(3, changes(3))).toEqual([[3, result(3, 'changed')]]);
      expect(asks(4, listens(11))).toEqual([]);
    });

    it('are each told but once where several of one client were told in the cassette', () => {
      const twice = named(
        'twice.yaml',
        client(listens(1)),
        client(listens(2)),
        client(changes(3)),
        server(told(1)),
        server(told(2)),
        server(result(3, 'changed')),
      );
      const { asks } = plays(twice);
      for (const stream of [1, 2]) asks(stream, listens(stream));
      expect(asks(3, changes(3))).toEqual([
        [1, told(1)],
        [2, told(2)],
        [3, result(3, 'changed')],
      ]);
    });

    it('hear nothing more once they stop', () => {
      const { asks, performer } = plays(listening);
      asks(1, listens(11));
      asks(1, cancel(11));
      performer.done(1);
      expect(asks(2, changes(5))).toEqual([[2, result(5, 'changed')]]);
    });
  });
});
