import { describe, expect, it } from 'vitest';
import { movesOf } from '../../../src/cassette/correlate/session-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import { discoveredOn, eraOf, replyToProbe } from '../../../src/replay/match/protocol-generation.ts';
import { call, client, request, result, server, tape } from '../../support/conversation.ts';

const version = '2026-07-28';
const modern = { _meta: { [META.protocolVersion]: version } };
const legacyTape = [
  client(request(0, 'initialize', { protocolVersion: '2025-11-25' })),
  server(result(0, 'hi')),
];
const modernTape = [
  client(request(0, 'tools/list', modern)),
  client(request(1, 'completion/complete', modern)),
];

const movesIn = (frames: Frame[]) => movesOf(tape(...frames).events);
const asked = (frames: Frame[], message: ReturnType<typeof request>) => {
  const moves = movesIn(frames);
  return replyToProbe(message, eraOf(moves), moves);
};

describe('the era of a tape', () => {
  it.each([
    ['legacy with a handshake', legacyTape, false],
    ['legacy where nothing claims a revision', [client(call(0, 'a'))], false],
    ['modern where requests claim one', modernTape, true],
    [
      'modern where they claim one from the future',
      [client(request(0, 'x', { _meta: { [META.protocolVersion]: '2027-01-01' } }))],
      true,
    ],
    [
      'legacy where only the probe claimed one',
      [client(request(0, 'server/discover', modern)), ...legacyTape],
      false,
    ],
    [
      'legacy where a client claims it on a handshake',
      [client(request(0, 'initialize', modern)), ...modernTape],
      false,
    ],
    [
      'modern where a handshake was tried, and refused',
      [
        client(request(0, 'initialize')),
        server({ jsonrpc: '2.0', id: 0, error: { code: -32601, message: '' } }),
        ...modernTape,
      ],
      true,
    ],
    [
      'legacy where an old revision is claimed',
      [client(request(0, 'x', { _meta: { [META.protocolVersion]: '2025-06-18' } }))],
      false,
    ],
  ])('is %s', (_, frames, expected) => {
    expect(eraOf(movesIn(frames)).modern).toBe(expected);
  });

  it('lists none for a tape that is legacy, whatever was claimed', () => {
    expect(eraOf(movesIn([...legacyTape, ...modernTape]))).toEqual({ modern: false, versions: [] });
  });

  it('lists each revision once, the newest last', () => {
    const claims = ['2027-01-01', version, version].map((claimed, id) =>
      client(request(id, 'x', { _meta: { [META.protocolVersion]: claimed } })),
    );
    expect(eraOf(movesIn(claims)).versions).toEqual([version, '2027-01-01']);
  });
});

describe('a probe', () => {
  it('of a legacy tape is told at once that there is no such method', () => {
    expect(asked(legacyTape, request('p', 'server/discover'))).toMatchObject({ error: { code: -32601 } });
  });

  it('of a modern tape is told what the tape shows in use', () => {
    expect(asked(modernTape, request('p', 'server/discover'))).toEqual({
      result: {
        resultType: 'complete',
        supportedVersions: [version],
        capabilities: { tools: {}, completions: {} },
        ttlMs: 0,
        cacheScope: 'private',
        _meta: {},
      },
    });
  });

  it('by handshake of a modern tape is told the revisions', () => {
    expect(asked(modernTape, request(0, 'initialize', { protocolVersion: '2025-11-25' }))).toMatchObject({
      error: { code: -32022, data: { supported: [version], requested: '2025-11-25' } },
    });
  });

  it('is not what a legacy initialize or a call is', () => {
    expect(asked(legacyTape, request(0, 'initialize'))).toBeUndefined();
    expect(asked(modernTape, call(0, 'a'))).toBeUndefined();
  });

  it('by ping is answered where there is ping', () => {
    expect(asked(legacyTape, request(0, 'ping'))).toEqual({ result: {} });
    expect(asked(modernTape, request(0, 'ping'))).toMatchObject({ error: { code: -32601 } });
  });
});

describe('what a probe was answered on its own tape', () => {
  const ask = client(request('p', 'server/discover'));

  it.each([
    ['a result', { result: { capabilities: {} } }],
    ['an error', { error: { code: -32601, message: 'Method not found' } }],
  ])('is %s', (_, reply) => {
    expect(discoveredOn(tape(ask, server({ jsonrpc: '2.0', id: 'p', ...reply })).events)).toEqual(reply);
  });

  it('is nothing where it was not answered, or not asked', () => {
    expect(discoveredOn(tape(ask).events)).toBeUndefined();
    expect(discoveredOn(tape(...legacyTape).events)).toBeUndefined();
  });
});
