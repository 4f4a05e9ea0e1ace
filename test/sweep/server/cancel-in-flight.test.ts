import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { META } from '../../../src/protocol/meta.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';
import { reasonsOf, sweepOf, sweptServer, verdictsOf } from './swept-server.ts';

const folder = temporaryFolder();
const clientInfo = { name: 'swept', version: '1' };
const text = (id: number, value: string) =>
  server({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: value }] } });

/** Its third message of the client is a call that takes a while, and its fifth one is the first call again. */
const session: Cassette = cassette(
  client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })),
  server({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: clientInfo },
  }),
  client(notification('initialized')),
  client(call(1, 'note', { text: 'one' })),
  text(1, '1 notes'),
  client(call(2, 'slow-work')),
  text(2, 'worked slowly'),
  client(call(3, 'notes')),
  text(3, 'one'),
);
const [note, work] = [3, 4];

const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientInfo]: clientInfo, [META.clientCapabilities]: {} };
const modernCall = (id: number, name: string, args: object = {}) =>
  client(request(id, 'tools/call', { name, arguments: args, _meta }));
const modern: Cassette = cassette(
  modernCall(1, 'note', { text: 'one' }),
  text(1, 'one noted'),
  modernCall(2, 'slow-work'),
  text(2, 'worked slowly'),
  modernCall(3, 'note'),
  text(3, 'one'),
);

/** The session as `swept-http-server.js` answers it. */
const noted: Cassette = cassette(
  ...session.events.slice(0, 3).map(({ frame }) => frame),
  client(call(1, 'note', { text: 'one' })),
  text(1, 'one noted'),
  client(call(2, 'slow-work')),
  text(2, 'worked slowly'),
  client(call(3, 'note')),
  text(3, 'one'),
);

/** Bugs, each with the cancel that shows it: before, during or after the work on the call. */
const BUGS: readonly [bug: string, point: string, verdict: string][] = [
  ['dies-of-an-early-cancel', `cancel-early@${work}`, 'crashed'],
  ['dies-when-aborted', `cancel-during@${work}`, 'crashed'],
  ['reports-progress', `cancel-during@${work}`, 'crashed'],
  ['hangs-when-aborted', `cancel-during@${work}`, 'hung'],
  ['leaks-when-aborted', `cancel-during@${work}`, 'leaked'],
  ['answers-another-when-aborted', `cancel-during@${work}`, 'corrupted'],
  ['forgets-when-aborted', `cancel-during@${work}`, 'corrupted'],
  ['dies-of-a-late-cancel', `cancel-late@${work}`, 'crashed'],
  ['answers-a-cancelled-call', `cancel-during@${work}`, 'ignored'],
];

/** The same session, whose client asks for progress. */
const reported: Cassette = cassette(
  ...session.events.slice(0, 5).map(({ frame }) => frame),
  client(request(2, 'tools/call', { name: 'slow-work', arguments: {}, _meta: { progressToken: 2 } })),
  server(notification('progress', { progressToken: 2, progress: 1, total: 2 })),
  ...session.events.slice(6).map(({ frame }) => frame),
);

describe('a call is cancelled at the first progress before its answer', () => {
  it.concurrent.each([
    ['dies-when-aborted-after-progress', 'crashed'],
    ['garbles-its-output-after-progress', 'hung'],
    ['none', 'refused'],
  ])('by a client of a server that %s: %s', async (bug, verdict) => {
    const points = [`cancel-during@${work}`];
    const found = await sweepOf(sweptServer(bug), { points, played: reported });
    expect(verdictsOf(found), reasonsOf(found)).toEqual([`${points[0]} ${verdict}`]);
  });
});

describe('a call is cancelled before, while and after the server works on it', () => {
  it.concurrent.each(BUGS)('over stdio, a server that %s is found at %s: %s', async (bug, point, verdict) => {
    const file = join(mkdtempSync(join(folder, 'server-')), 'file');
    const found = await sweepOf(sweptServer(bug, file), { points: [point], played: session });
    expect(verdictsOf(found)).toEqual([`${point} ${verdict}`]);
  });

  it('a server that dies only of a cancel during its work passes at the others', async () => {
    const points = [`cancel@${work}`, `cancel-early@${work}`, `cancel-late@${work}`];
    const { results } = await sweepOf(sweptServer('dies-when-aborted'), { points, played: session });
    expect(results.map(({ verdict }) => verdict)).not.toContain('crashed');
  });

  it('a server without a bug refuses', async () => {
    const points = [`cancel-during@${work}`];
    expect(verdictsOf(await sweepOf(sweptServer(), { points, played: session }))).toEqual([`${points[0]} refused`]);
  });

  it('a server that was slower without misbehaviour is not accused', async () => {
    const points = [`cancel-during@${work}`];
    const file = join(mkdtempSync(join(folder, 'server-')), 'file');
    const found = await sweepOf(sweptServer('is-slow-at-first', file), { points, played: session, deadline: 4_000 });
    expect(verdictsOf(found)).toEqual([`${points[0]} refused`]);
  });

  it('a call that is answered at once is left out, and not called tested', async () => {
    const unfit: string[] = [];
    const { results } = await sweepOf(sweptServer(), {
      points: [`cancel-during@${note}`, `cancel-during@${work}`],
      played: session,
      leftOut: (all) => unfit.push(...all.map(({ point, why }) => `${point.name}: ${why}`)),
    });
    expect(results.map(({ point }) => point.name)).toEqual([`cancel-during@${work}`]);
    expect(unfit).toEqual([
      `cancel-during@${note}: without misbehaviour, its answer comes within 50 ms: too soon for cancel-during`,
    ]);
  });

  it.concurrent.each([
    ['dies-when-aborted', 'crashed'],
    ['hangs-when-aborted', 'hung'],
    ['dies-when-left-after-progress', 'crashed'],
    ['garbles-its-next-answer-after-progress', 'corrupted'],
    ['dies-when-left-after-its-head', 'crashed'],
    ['none', 'refused'],
  ])('over HTTP, where closing the stream cancels, a server that %s: %s', async (bug, verdict) => {
    await using running = new Running(fixture('swept-http-server.js', bug));
    const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
    const found = await sweepOf(target, { points: ['cancel-during@2'], played: modern });
    expect(verdictsOf(found)).toEqual([`cancel-during@2 ${verdict}`]);
  });

  it.concurrent.each([
    ['dies-when-aborted', 'cancel-during', 'crashed'],
    ['hangs-when-aborted', 'cancel-during', 'hung'],
    ['answers-another-when-aborted', 'cancel-during', 'corrupted'],
    ['answers-a-cancelled-call', 'cancel-during', 'ignored'],
    ['none', 'cancel-during', 'refused'],
    ['none', 'cancel', 'refused'],
  ])('over HTTP of 2025-11-25, where a POST cancels, a server that %s at %s: %s', async (bug, fault, verdict) => {
    await using running = new Running(fixture('swept-http-server.js', bug));
    const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
    const points = [`${fault}@${work}`];
    const found = await sweepOf(target, { points, played: noted });
    expect(verdictsOf(found), reasonsOf(found)).toEqual([`${points[0]} ${verdict}`]);
  });
});
