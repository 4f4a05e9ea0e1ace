import { basename } from 'node:path';
import { expect } from 'vitest';
import { REVISIONS } from '../../../src/protocol/revisions.ts';
import { discoverResponseIn } from '../../../src/replay/match/protocol-generation.ts';
import type { Area } from '../area.ts';
import { inFolder } from '../folder.ts';
import { recorded as recordedHttp, served as servedHttp } from '../http/scene.ts';
import { json, opening, post } from '../http/script.ts';
import { driven, recorded, served } from '../stdio/scene.ts';
import { Talk } from '../talk.ts';
import type { Line } from '../wire/line.ts';

const MODERN = { since: '2026-07-28' } as const;
const LEGACY = { until: '2025-11-25' } as const;
const DETECTION = 'Versioning, Detection';
const MOCK = { recorder: 'only passes', 'mock client': 'asks as in the cassette' } as const;
const modern = new Talk(REVISIONS.at(-1)!);
const done = { content: [{ type: 'text', text: 'done' }] };
const able = { supportedVersions: [modern.revision], capabilities: {}, ttlMs: 0, cacheScope: 'public' };

const lineOf = ({ from, message }: Line) => ({ from, data: Buffer.from(`${JSON.stringify(message)}\n`) });
const session = (talk: Talk): Line[] => [
  ...talk.opening(),
  talk.ask(1, 'tools/call', { name: 'echo' }),
  talk.answer(1, done),
];

/** What the client of one era says to a server of the other. */
export const eras: Area = {
  name: 'Eras',
  requirements: [
    {
      id: 'era/legacy-cassette',
      ...LEGACY,
      source: DETECTION,
      not: { ...MOCK, 'HTTP+SSE': 'of 2024-11-05' },
      says: 'A server of the older era refuses `server/discover` at once, and is then spoken to as it wants.',
    },
    {
      id: 'era/modern-cassette',
      ...MODERN,
      source: DETECTION,
      not: MOCK,
      says: 'A server of the newer era answers `server/discover`, and refuses `initialize` with its revisions.',
    },
    {
      id: 'era/probe-process',
      source: DETECTION,
      not: { 'Streamable HTTP': 'era/probe', 'HTTP+SSE': 'of 2024-11-05' },
      says: 'A process that was only asked what it can do has a cassette of its own, and answers as on it.',
    },
    {
      id: 'era/probe',
      since: '2025-03-26',
      source: DETECTION,
      not: { stdio: 'era/probe-process', 'HTTP+SSE': 'of 2024-11-05', 'mock client': 'begins its session' },
      says: 'A client asks for the newer era and goes on as it is answered; a session of the older has a cassette of its own.',
    },
  ],
  scenes: [
    {
      title: 'a client of the newer era asks a server of the older one',
      ...LEGACY,
      on: ['stdio'],
      as: ['mock server'],
      shows: ['era/legacy-cassette'],
      async play(talk) {
        const script = session(talk).map(lineOf);
        const cassette = await recorded(script);
        const refusal = modern.fail('probe', -32601, 'Method not found: server/discover');
        const probe = [modern.ask('probe', 'server/discover'), refusal].map(lineOf);
        await served([...probe, ...script], cassette);
      },
    },
    {
      title: 'a client of the newer era posts to a server of the older one',
      ...LEGACY,
      since: '2025-03-26',
      on: ['Streamable HTTP'],
      as: ['mock server'],
      shows: ['era/legacy-cassette'],
      async play(talk) {
        const [call, answer] = session(talk).slice(-2);
        const script = [...opening(talk), post(talk, call!, json(answer!))];
        const probe = post(modern, modern.ask('probe', 'server/discover'), { status: 400 });
        await servedHttp([probe, ...script], await recordedHttp(script));
      },
    },
    {
      title: 'a client of the older era asks a server of the newer one',
      ...MODERN,
      on: ['stdio'],
      as: ['mock server'],
      shows: ['era/modern-cassette'],
      async play(talk) {
        const script = session(talk).map(lineOf);
        const [initialize] = new Talk('2025-11-25').opening();
        const data = { supported: [talk.revision], requested: '2025-11-25' };
        const probe = [
          talk.ask('probe', 'server/discover'),
          talk.answer('probe', {
            supportedVersions: [talk.revision],
            capabilities: { tools: {} },
            ttlMs: 0,
            cacheScope: 'private',
            _meta: {},
          }),
          initialize!,
          talk.fail('init', -32022, 'Unsupported protocol version', data),
        ].map(lineOf);
        await served([...probe, ...script], await recorded(script));
      },
    },
    {
      title: 'a client of the older era posts to a server of the newer one',
      ...MODERN,
      on: ['Streamable HTTP'],
      as: ['mock server'],
      shows: ['era/modern-cassette'],
      async play(talk) {
        const [call, answer] = session(talk).slice(-2);
        const script = [post(talk, call!, json(answer!))];
        const older = new Talk('2025-11-25');
        const probe = post(talk, talk.ask('probe', 'server/discover'), { status: 200 });
        const refused = post(older, older.opening()[0]!, { status: 400 });
        await servedHttp([probe, refused, ...script], await recordedHttp(script));
      },
    },
    {
      title: 'a process is asked what it can do, and another is spoken to',
      on: ['stdio'],
      shows: ['era/probe-process'],
      async play(talk) {
        const [ask, answer] = talk.modern
          ? [talk.ask('probe', 'server/discover'), talk.answer('probe', able)]
          : [modern.ask('probe', 'server/discover'), modern.fail('probe', -32601, 'Method not found')];
        const probe = [ask, answer].map(lineOf);
        const script = session(talk).map(lineOf);
        const [probed, cassette] = await inFolder(async (folder) => [
          await recorded(probe, folder),
          await recorded(script, folder),
        ]);
        expect(probed!.file).toMatch(/stdio\.probe\.yaml$/);
        expect(cassette!.file).toMatch(/stdio\.yaml$/);
        await served([...probe, ...script], cassette!, discoverResponseIn(probed!.events));
        await driven(probe, probed!);
        await driven(script, cassette!);
      },
    },
    {
      title: 'a client is refused in the newer era, and begins a session of the older one',
      ...LEGACY,
      since: '2025-03-26',
      on: ['Streamable HTTP'],
      as: ['recorder', 'mock server'],
      shows: ['era/probe'],
      async play(talk) {
        const discover = modern.ask('probe', 'server/discover');
        const refusal = json(modern.fail('probe', -32601, 'Method not found'), 404);
        const [call, answer] = session(talk).slice(-2);
        const script = [...opening(talk), post(talk, call!, json(answer!))];
        const cassettes = await recordedHttp([post(modern, discover, refusal), ...script]);
        expect(cassettes.map(({ file }) => basename(file))).toEqual(['http.yaml', 'http.probe.yaml']);
        await servedHttp([post(modern, discover, { status: 400 }), ...script], cassettes.slice(0, 1));
      },
    },
    {
      title: 'a client asks what a server can do, and asks it over HTTP',
      ...MODERN,
      on: ['Streamable HTTP'],
      as: ['recorder', 'mock server'],
      shows: ['era/probe'],
      async play(talk) {
        const [call, answer] = session(talk).slice(-2);
        const script = [
          post(talk, talk.ask('probe', 'server/discover'), json(talk.answer('probe', able))),
          post(talk, call!, json(answer!)),
        ];
        const cassettes = await recordedHttp(script);
        expect(cassettes.map(({ file }) => basename(file))).toEqual(['http.yaml']);
        await servedHttp(script, cassettes);
      },
    },
  ],
};
