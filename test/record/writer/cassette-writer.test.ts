import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { redactFinished } from '../../../src/record/redact-file/redact-finished.ts';
import { CassetteWriter } from '../../../src/record/writer/cassette-writer.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';

const newFile = freeNames(temporaryFolder());

it('a cassette that can be written no further is closed, and its trouble told once', () => {
  const clock = new ManualClock();
  const troubles: unknown[] = [];
  const file = new CassetteFile(newFile());
  const writer = new CassetteWriter({
    open: () => file,
    about: { transport: 'stdio' },
    clock,
    gap: 'none',
    redactAgain: redactFinished,
    failed: (error) => troubles.push(error),
  });
  writer.write({ kind: 'line', at: 0, from: 'server', on: 'stderr', data: 'before' });
  expect(file.isParked).toBe(false);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  file.flush = () => {
    throw full;
  };
  writer.write({ kind: 'line', at: 0, from: 'server', on: 'stderr', data: 'x'.repeat(100_000) });
  writer.write({ kind: 'line', at: 0, from: 'server', on: 'stderr', data: 'after' });
  writer.end('complete');
  expect(troubles).toEqual([full]);
  expect(file.isParked).toBe(true);
});

it('the header says when the first event passed, to the millisecond, also if it is written later', () => {
  const clock = new ManualClock(new Date('2026-11-21T03:02:15.250Z'));
  const file = new CassetteFile(newFile());
  const writer = new CassetteWriter({
    open: () => file,
    about: { transport: 'http' },
    clock,
    gap: 'coarse',
    redactAgain: redactFinished,
    failed: (error) => expect(error).toBeUndefined(),
  });
  clock.advance(1_234);
  writer.write({ kind: 'line', at: 7, from: 'server', on: 'stderr', data: 'before' });
  writer.end('complete');
  expect(readFileSync(file.path, 'utf8')).toContain("\nrecorded: '2026-11-21T03:02:15.257Z'\n");
});
