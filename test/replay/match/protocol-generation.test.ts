import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import {
  discoverResponseIn,
  protocolGeneration,
  responseToProbe,
} from '../../../src/replay/match/protocol-generation.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const version = '2026-07-28';
const modern = { _meta: { [META.protocolVersion]: version } };
const legacyCassette = [client(request(0, 'initialize', { protocolVersion: '2025-11-25' })), server(result(0, 'hi'))];
const modernCassette = [client(request(0, 'tools/list', modern)), client(request(1, 'completion/complete', modern))];

const entriesIn = (frames: Frame[]) => eventsToEntries(cassette(...frames).events);
const asked = (frames: Frame[], message: ReturnType<typeof request>) => {
  const entries = entriesIn(frames);
  return responseToProbe(message, protocolGeneration(entries), entries);
};

describe('the era of a cassette', () => {
  it.each([
    ['legacy with a handshake', legacyCassette, false],
    ['legacy where nothing claims a revision', [client(call(0, 'a'))], false],
    ['modern where requests claim one', modernCassette, true],
    [
      'modern where they claim one from the future',
      [client(request(0, 'x', { _meta: { [META.protocolVersion]: '2027-01-01' } }))],
      true,
    ],
    [
      'legacy where only the probe claimed one',
      [client(request(0, 'server/discover', modern)), ...legacyCassette],
      false,
    ],
    [
      'legacy where a client claims it on a handshake',
      [client(request(0, 'initialize', modern)), ...modernCassette],
      false,
    ],
    [
      'modern where a handshake was tried, and refused',
      [
        client(request(0, 'initialize')),
        server({ jsonrpc: '2.0', id: 0, error: { code: -32601, message: '' } }),
        ...modernCassette,
      ],
      true,
    ],
    [
      'legacy where an old revision is claimed',
      [client(request(0, 'x', { _meta: { [META.protocolVersion]: '2025-06-18' } }))],
      false,
    ],
  ])('is %s', (_, frames, expected) => {
    expect(protocolGeneration(entriesIn(frames)).modern).toBe(expected);
  });

  it('lists none for a cassette that is legacy, whatever was claimed', () => {
    expect(protocolGeneration(entriesIn([...legacyCassette, ...modernCassette]))).toEqual({
      modern: false,
      versions: [],
    });
  });

  it('lists each revision once, the newest last', () => {
    const claims = ['2027-01-01', version, version].map((claimed, id) =>
      client(request(id, 'x', { _meta: { [META.protocolVersion]: claimed } })),
    );
    expect(protocolGeneration(entriesIn(claims)).versions).toEqual([version, '2027-01-01']);
  });
});

describe('a probe', () => {
  it('of a legacy cassette is told at once that there is no such method', () => {
    expect(asked(legacyCassette, request('p', 'server/discover'))).toMatchObject({ error: { code: -32601 } });
  });

  it('of a modern cassette is told what the cassette shows in use', () => {
    expect(asked(modernCassette, request('p', 'server/discover'))).toEqual({
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

  it('of a cassette with requests of extensions is told those extensions', () => {
    const methods = ['skills/list', 'resources/directory/read', 'events/poll', 'tasks/get'];
    const frames = methods.map((method, id) => client(request(id, method, { ...modern, name: 'a' })));
    expect(asked(frames, request('p', 'server/discover'))).toMatchObject({
      result: {
        capabilities: {
          resources: {},
          extensions: {
            'io.modelcontextprotocol/skills': { directoryRead: true },
            'io.modelcontextprotocol/events': {},
            'io.modelcontextprotocol/tasks': {},
          },
        },
      },
    });
  });

  it('by handshake of a modern cassette is told the revisions', () => {
    expect(asked(modernCassette, request(0, 'initialize', { protocolVersion: '2025-11-25' }))).toMatchObject({
      error: { code: -32022, data: { supported: [version], requested: '2025-11-25' } },
    });
  });

  it('is not what a legacy initialize or a call is', () => {
    expect(asked(legacyCassette, request(0, 'initialize'))).toBeUndefined();
    expect(asked(modernCassette, call(0, 'a'))).toBeUndefined();
  });

  it('by ping is answered where there is ping', () => {
    expect(asked(legacyCassette, request(0, 'ping'))).toEqual({ result: {} });
    expect(asked(modernCassette, request(0, 'ping'))).toMatchObject({ error: { code: -32601 } });
  });
});

describe('what a probe was answered on its own cassette', () => {
  const ask = client(request('p', 'server/discover'));

  it.each([
    ['a result', { result: { capabilities: {} } }],
    ['an error', { error: { code: -32601, message: 'Method not found' } }],
  ])('is %s', (_, reply) => {
    expect(discoverResponseIn(cassette(ask, server({ jsonrpc: '2.0', id: 'p', ...reply })).events)).toEqual(reply);
  });

  it('is nothing where it was not answered, or not asked', () => {
    expect(discoverResponseIn(cassette(ask).events)).toBeUndefined();
    expect(discoverResponseIn(cassette(...legacyCassette).events)).toBeUndefined();
  });
});
