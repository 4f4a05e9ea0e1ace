import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { AT, sweepOf, sweptServer, verdictsOf } from './swept-server.ts';

const folder = temporaryFolder();
const { initialize, initialized, note, notes, work, answer } = AT;

/** Bug of `swept-server.js` → the point that shows it, and its verdict. */
const BUGS: readonly [bug: string, point: string, verdict: string][] = [
  ['hangs-after-a-cancel', `cancel@${work}`, 'hung'],
  ['never-ends-after-a-cancel', `cancel@${work}`, 'hung'],
  ['leaks-a-process-at-a-cancel', `cancel@${work}`, 'leaked'],
  ['leaks-its-output-at-a-cancel', `cancel@${work}`, 'leaked'],
  ['answers-cancelled-with-another', `cancel@${work}`, 'corrupted'],
  ['dies-of-a-late-cancel', `cancel-late@${note}`, 'crashed'],
  ['mixes-up-equal-ids', `equal-ids@${work}`, 'corrupted'],
  ['doubles-notes', `duplicate@${note}`, 'repeated'],
  ['hangs-when-initialized-twice', `duplicate@${initialize}`, 'hung'],
  ['answers-per-answer', `duplicate@${answer}`, 'repeated'],
  ['dies-of-half-a-line', `truncate@${notes}`, 'crashed'],
  ['dies-late-of-half-a-line', `truncate@${notes}`, 'crashed'],
  ['locks-its-file', `truncate@${notes}`, 'crashed'],
  ['dies-of-no-json', `junk@${notes}`, 'crashed'],
  ['hangs-after-no-json', `not-json@${notes}`, 'hung'],
  ['dies-of-a-wrong-version', `wrong-version@${notes}`, 'crashed'],
  ['hangs-after-a-null-id', `null-id@${notes}`, 'hung'],
  ['dies-of-a-long-line', `oversize@${notes}`, 'crashed'],
  ['takes-a-chunk-for-a-line', `slice@${notes}`, 'hung'],
  ['dies-when-called-too-early', `out-of-order@${initialized}`, 'crashed'],
  ['dies-of-an-unknown-method', `unknown-method@${notes}`, 'crashed'],
  ['answers-notifications', `unknown-notification@${notes}`, 'stray'],
  ['dies-of-a-refusal', `error-reply@${answer}`, 'crashed'],
  ['dies-of-an-unknown-answer', `wrong-id@${answer}`, 'crashed'],
  ['never-ends', `end@${notes}`, 'hung'],
];

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
