import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import { isBad, type ServerResult } from '../../../src/sweep/server/judge/server-result.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { stdioServer } from '../../../src/sweep/server/stdio-server.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { HAS_PROC, titled } from '../../support/on-posix.ts';
import { fixture, gone } from '../../support/process.ts';
import { AT, BUGS, handshake, reasonsOf, sweepOf, sweptServer, text, verdictsOf } from './swept-server.ts';

const folder = temporaryFolder();
const { note, notes, work, answer } = AT;

describe('a server with a bug', () => {
  it.concurrent.each(BUGS)('that %s is found at %s: %s', async (bug, point, verdict) => {
    const file = join(mkdtempSync(join(folder, 'server-')), 'file');
    expect(verdictsOf(await sweepOf(sweptServer(bug, file), { points: [point] }))).toEqual([`${point} ${verdict}`]);
  });
});

it('damage that only the next process meets is found among points that run at once, at the point that did it', async () => {
  const file = join(mkdtempSync(join(folder, 'server-')), 'file');
  const others = ['slice', 'latency', 'unknown-notification'].flatMap((one) => [`${one}@${note}`, `${one}@${notes}`]);
  const sweep = await sweepOf(sweptServer('locks-its-file-once', file), { points: [`truncate@${notes}`, ...others] });
  expect(
    sweep.results.filter(isBad).map(({ point }) => point.name),
    reasonsOf(sweep),
  ).toEqual([`truncate@${notes}`]);
  expect(sweep.results).toHaveLength(1 + others.length);
});

it('points that never happen keep no place from the others with which they share a session', async () => {
  // It never asks, so nobody answers it.
  const { command, args } = fixture('answers.js');
  const points = ['error-reply', 'wrong-id', 'duplicate', 'truncate', 'not-json'].map((one) => `${one}@${answer}`);
  const sweep = await sweepOf(stdioServer([command, ...args], systemClock), { points, deadline: 200 });
  expect(new Set(sweep.results.map(({ verdict }) => verdict))).toEqual(new Set(['unreached']));
});

it('a server that ends with an error status on half a line has crashed', async () => {
  const { results } = await sweepOf(sweptServer('exits-on-half-a-line'), { points: [`truncate@${note}`] });
  expect(results).toMatchObject([
    {
      verdict: 'crashed',
      why: 'its process ended with status 3, and without misbehaviour with 0 (no rule; surprising)',
    },
  ]);
});

it('a server that logs an exception which it has caught has not crashed', async () => {
  const sweep = await sweepOf(sweptServer('logs-a-traceback'), { points: [`not-json@${notes}`] });
  expect(verdictsOf(sweep)).toEqual([`not-json@${notes} refused`]);
});

describe.skipIf(!HAS_PROC)(titled('a server that leaves a detached process', 'environments in /proc'), () => {
  it.each([['leaks-a-detached-process-at-a-cancel'], ['leaks-its-output-detached-at-a-cancel']])(
    '%s is found, with the name of the process, which is ended',
    async (bug) => {
      const { results } = await sweepOf(sweptServer(bug), { points: [`cancel@${work}`] });
      const [{ verdict, why, cause }] = results as [ServerResult];
      expect([verdict, why]).toEqual([
        'leaked',
        expect.stringMatching(
          /^it left process \d+ \(.*setTimeout.*\), still there 2 s after its end \(no rule; surprising\)$/,
        ),
      ]);
      expect(cause).not.toMatch(/\d{2}/);
      await gone(Number(/process (\d+)/.exec(why ?? '')?.[1]));
    },
  );

  it('that it ends itself is not said to leave it', async () => {
    const points = [`cancel@${work}`, `duplicate@${note}`];
    const sweep = await sweepOf(sweptServer('ends-its-detached-process'), { points });
    expect(sweep.left).toBeUndefined();
    expect(sweep.results.map(({ verdict }) => verdict)).not.toContain('leaked');
  });

  it('always is not judged by that, and the process is named', async () => {
    const sweep = await sweepOf(sweptServer('always-leaks-a-detached-process'), { points: [`cancel@${work}`] });
    expect(sweep.left).toEqual([expect.stringMatching(/^process \d+ \(/)]);
    expect(verdictsOf(sweep)).toEqual([`cancel@${work} refused`]);
  });
});

// It dies of 270 ms without a message, which a busy machine can take: nothing runs beside it.
it('a server that dies when idle is found at latency: crashed', async () => {
  const points = [`latency@${notes}`];
  expect(verdictsOf(await sweepOf(sweptServer('dies-when-idle'), { points }))).toEqual([`${points[0]} crashed`]);
});

it('a server without a bug fails at no point', async () => {
  const points = misbehavioursOver('stdio').flatMap((name) => [`${name}@${note}`, `${name}@${answer}`]);
  const { results } = await sweepOf(sweptServer(), { points });
  const bad = results.filter(({ verdict }) => !['passed', 'refused', 'ignored'].includes(verdict));
  expect(bad.map(({ point, verdict, why }) => `${point.name} ${verdict}: ${why}`)).toEqual([
    // It is no cleverer than others: a note that comes twice is there twice.
    `duplicate@${note} repeated: tools/call "notes" is answered on the same connection with /result/content/0/text ("one" → "one, one"), as if the request had been made twice (no rule; surprising)`,
  ]);
});

describe('a server that does nothing wrong, and works on two requests under one id', () => {
  // The next call takes away what the search finds, so that it would find nothing if it were still at work.
  const searched = cassette(
    ...handshake,
    client(call(1, 'note', { text: 'one' })),
    server(text(1, '1 notes')),
    client(call(2, 'search')),
    server(text(2, 'one')),
    client(call(3, 'clear')),
    server(text(3, 'cleared')),
    client(call(4, 'notes')),
    server(text(4, '')),
  );
  const ordered = cassette(
    ...handshake,
    client(call(1, 'order')),
    server(text(1, 'Order ord_5f3a91c0')),
    client(call(2, 'status', { order: 'ord_5f3a91c0' })),
    server(text(2, 'on its way')),
  );

  it.each([
    ['equal-ids@4', searched],
    ['duplicate@4', searched],
    ['equal-ids@3', ordered],
  ])('is not accused at %s of what the next call does meanwhile', async (point, played) => {
    const { results } = await sweepOf(sweptServer(), { points: [point], played });
    expect(results.map(({ verdict, why }) => [verdict, why])).toEqual([['passed', undefined]]);
  });
});
