import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AppendedLines } from '../../src/kernel/appended-lines.ts';
import { temporaryFolder } from '../support/cassette.ts';

it('reads each line of a file once, when its end is written, however long it is', () => {
  const file = join(temporaryFolder(), 'lines');
  writeFileSync(file, '');
  const lines = new AppendedLines(file);
  expect(lines.next()).toEqual([]);
  appendFileSync(file, 'one\ntwo\nthr');
  expect(lines.next()).toEqual(['one', 'two']);
  expect(lines.next()).toEqual([]);
  const long = 'é'.repeat(100_000);
  const [head, tail] = [Buffer.from(`ee\n${long}`).subarray(0, 70_002), Buffer.from(`ee\n${long}`).subarray(70_002)];
  appendFileSync(file, head);
  expect(lines.next()).toEqual(['three']);
  appendFileSync(file, tail);
  appendFileSync(file, '\nlast\n');
  expect(lines.next()).toEqual([long, 'last']);
});

it('throws what the file system says of a file that is not there', () => {
  expect(() => new AppendedLines(join(temporaryFolder(), 'none')).next()).toThrow('ENOENT');
});
