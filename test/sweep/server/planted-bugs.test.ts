import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { AT, BUGS, sweepOf, sweptServer, verdictsOf } from './swept-server.ts';

const folder = temporaryFolder();
const { note, notes, answer } = AT;

describe('a server with a bug', () => {
  it.concurrent.each(BUGS)('that %s is found at %s: %s', async (bug, point, verdict) => {
    const file = join(mkdtempSync(join(folder, 'server-')), 'file');
    expect(verdictsOf(await sweepOf(sweptServer(bug, file), { points: [point] }))).toEqual([`${point} ${verdict}`]);
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
