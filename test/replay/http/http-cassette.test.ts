import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import type { Request } from '../../../src/protocol/message.ts';
import { META } from '../../../src/protocol/meta.ts';
import { subjectOf } from '../../../src/protocol/method-table.ts';
import { httpCassette, httpCassettes } from '../../../src/replay/http/http-cassette.ts';
import { call, cassette as cassetteOf, client, request, result, server } from '../../support/conversation.ts';

const opening = [client(request(0, 'initialize')), server(result(0, 'hi'))];
const issued = opening.map((frame) => (frame.from === 'server' ? { ...frame, session: 'new' as const } : frame));
const modern = [client(request(0, 'tools/list', { _meta: { [META.protocolVersion]: '2026-07-28' } }))];

const over = (transport: Cassette['header']['transport'], frames: Frame[]): Cassette => {
  const { header, ...cassette } = cassetteOf(...(frames as Parameters<typeof cassetteOf>));
  return { ...cassette, header: { ...header, transport } };
};

describe('a cassette that is played over HTTP', () => {
  it.each([
    ['was recorded over stdio', over('stdio', opening), true],
    ['was issued a session id', over('http', issued), true],
    ['was issued none over HTTP', over('http', opening), false],
    ['is of 2026-07-28', over('stdio', modern), false],
  ])('that %s has sessions: %s', (_name, cassette, expected) => {
    expect(httpCassette(cassette).hasSessions).toBe(expected);
  });

  it('is one for each of its sessions, where their server told them apart', () => {
    const on = (stream: number, frames: readonly Frame[]) => frames.map((frame) => ({ ...frame, stream }));
    const twice = (frames: readonly Frame[]) => [
      ...on(1, frames),
      ...on(2, [client(call(1, 'a')), server(result(1, 'A'))]),
      ...on(3, frames),
      ...on(4, [client(call(1, 'b')), server(result(1, 'B'))]),
    ];
    const toolsOf = (cassette: Cassette) =>
      httpCassettes(cassette).map(({ plan }) =>
        plan.entries.flatMap(({ message }) =>
          message && 'method' in message ? [subjectOf(message.method, message.params)] : [],
        ),
      );
    expect(toolsOf(over('http', twice(issued)))).toEqual([
      ['initialize', 'tools/call "a"'],
      ['initialize', 'tools/call "b"'],
    ]);
    const all = [['initialize', 'tools/call "a"', 'initialize', 'tools/call "b"']];
    expect(toolsOf(over('http', twice(opening)))).toEqual(all);
    expect(toolsOf(over('stdio', twice(issued)))).toEqual(all);
    expect(httpCassettes(over('http', [...issued]))).toHaveLength(1);
  });

  it('says nothing of what a process printed beside its messages', () => {
    const printed = { kind: 'line', at: 0, from: 'server', data: 'Starting...' } as const;
    const [asked, answered] = [client(request(0, 'initialize')), server(result(0, 'hi'))];
    const cassette = over('stdio', [asked, { ...printed, on: 'stderr' }, { ...printed, on: 'protocol' }, answered]);
    const kinds = httpCassette(cassette).plan.entries.map(({ frame }) => frame.kind);
    expect(kinds).toEqual(['message', 'message']);
  });

  it('keeps what the server said to a client that only asked', () => {
    const discovered = { result: {} };
    expect(httpCassette(cassetteOf(client(call(1, 'a'))), discovered).discovered).toBe(discovered);
    expect(httpCassette(cassetteOf(client(call(1, 'a'))))).not.toHaveProperty('discovered');
  });

  it('of 2026-07-28 has no request of an older client that it refused for its session', () => {
    const refused: Frame = {
      kind: 'http-response',
      at: 0,
      from: 'server',
      status: 404,
      body: 'no session',
      stream: 1,
    };
    const older = { ...client(request(2, 'tools/list')), stream: 1 } as Frame;
    const answered = [
      { ...client(request(0, 'tools/list', { _meta: { [META.protocolVersion]: '2026-07-28' } })), stream: 2 },
      { ...server(result(0, 'tools')), stream: 2 },
    ] as Frame[];
    const requestsOf = (...frames: Frame[]) =>
      httpCassette(over('http', frames)).plan.entries.flatMap(({ message, from }) =>
        from === 'client' ? [(message as Request).id] : [],
      );
    expect(requestsOf(older, refused, ...answered)).toEqual([0]);
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    expect(requestsOf({ ...older, headers } as Frame, refused, ...answered)).toEqual([2, 0]);
    expect(requestsOf(older, refused)).toEqual([2]);
  });
});
