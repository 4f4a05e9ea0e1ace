import { describe, expect, it } from 'vitest';
import { META } from '../../../src/protocol/meta.ts';
import { call, cassette as cassetteOf, client, play, request, result, server } from '../../support/conversation.ts';

const calls = (...names: string[]) =>
  cassetteOf(...names.flatMap((name, n) => [client(call(n + 1, name)), server(result(n + 1, name))]));
const modern = (id: number, name: string) =>
  request(id, 'tools/call', { name, _meta: { [META.protocolVersion]: '2026-07-28' } });
const recordedModern = cassetteOf(
  client(modern(1, 'a')),
  client(modern(2, 'b')),
  server(result(2, 'b')),
  server(result(1, 'a')),
  client(modern(3, 'c')),
  server(result(3, 'c')),
);

describe('a client that uses an id for several requests', () => {
  it('is found once', () => {
    const session = play(calls('a', 'b', 'c'));
    session.says(call(7, 'a'), call(7, 'b'), call(7, 'c'));
    expect(session.findings.map(({ kind, text }) => [kind, text])).toEqual([
      ['differs', expect.stringContaining('The client sent tools/call "b", which the specification does not allow')],
    ]);
    expect(session.findings[0]!.text).toContain('the id 7 was used before [id-unique]');
    expect(session.findings[0]!.breaksProtocol).toBe(true);
  });

  it('is found in pings, too, and tells 1 from "1"', () => {
    const session = play(calls('a'));
    session.says(call(1, 'a'), request('1', 'ping'));
    expect(session.findings).toEqual([]);
    session.says(request(1, 'ping'));
    expect(session.findings).toHaveLength(1);
  });

  it('is found with ids in any order, and as text', () => {
    const session = play(calls('a'));
    session.says(...[5, 6, 7, 3, 'x', 8, 4].map((id) => request(id, 'ping')));
    expect(session.findings).toEqual([]);
    for (const id of [6, 3, 'x', 8, 4]) {
      const again = play(calls('a'));
      again.says(...[5, 6, 7, 3, 'x', 8, 4, id].map((one) => request(one, 'ping')));
      expect(again.findings, String(id)).toHaveLength(1);
    }
  });

  it('may do so if the recorded client did', () => {
    const session = play(
      cassetteOf(client(call(1, 'a')), server(result(1, 'a')), client(call(1, 'b')), server(result(1, 'b'))),
    );
    session.says(call(7, 'a'), call(7, 'b'));
    expect(session.findings).toEqual([]);
  });

  it('is found from 2026-07-28 on only among open requests', () => {
    const session = play(recordedModern);
    session.says(modern(7, 'a'), modern(8, 'b'));
    expect(session.hears()).toHaveLength(2);
    session.says(modern(7, 'c'));
    expect(session.findings).toEqual([]);
    const listen = (id: number) =>
      request(id, 'subscriptions/listen', { _meta: { [META.protocolVersion]: '2026-07-28' } });
    const other = play(cassetteOf(client(listen(1)), client(modern(2, 'b')), server(result(2, 'b'))));
    other.says(listen(7), modern(7, 'b'));
    expect(other.findings).toMatchObject([{ kind: 'differs', breaksProtocol: true }]);
  });

  it('is not found after a fault, which may be the reason', () => {
    const session = play(calls('a', 'b'), { hasFaults: true });
    session.says(call(7, 'a'));
    session.player.faulted({ rule: 1, fault: 'drop', from: 'server', message: 1 } as Parameters<
      typeof session.player.faulted
    >[0]);
    session.says(call(7, 'b'));
    expect(session.findings).toEqual([]);
  });

  it('is not found where several clients may have the same id', () => {
    const session = play(calls('a', 'b'), { hasSeveralClients: true });
    session.says(call(7, 'a'), call(7, 'b'));
    expect(session.findings).toEqual([]);
  });
});
