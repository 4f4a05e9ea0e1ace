import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultsFromLiveFile } from '../../../../src/cli/commands/mock-servers/live-fault-file.ts';
import { mockProcessLogWriter } from '../../../../src/cli/io/mock-process-log-writer.ts';
import { temporaryFolder } from '../../../support/cassette.ts';

const folder = temporaryFolder();
const log = mockProcessLogWriter(undefined);
let files = 0;
const refuse = (error: Error) => {
  throw error;
};

/** A file of rules. */
function written(rules: object): string {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, JSON.stringify(rules));
  return file;
}

/** What a program that has just started says of the next matches of the one rule. */
function fates(path: string, matches: number): boolean[] | undefined {
  const { rules, counters } = faultsFromLiveFile(path, log, refuse);
  const counter = counters!.get(rules[0]!);
  return counter && Array.from({ length: matches }, () => counter.count());
}

it('counts matches over all programs whose rules name one file, for each set and each rule by itself', () => {
  const matches = join(folder, 'matches');
  const rule = { do: 'drop', when: { nth: 3 } };
  const first = written({ set: 1, faults: [rule, rule], matches });
  expect(fates(first, 2)).toEqual([false, false]);
  const { rules, counters } = faultsFromLiveFile(first, log, refuse);
  expect(counters!.get(rules[1]!)!.count()).toBe(false);
  expect(fates(written({ set: 2, faults: [rule], matches }), 1)).toEqual([false]);
  expect(fates(first, 2)).toEqual([true, false]);
});

it('leaves each program to count by itself where the rules name no file, and writes none', () => {
  const before = readdirSync(folder).length;
  const path = written({ set: 1, faults: [{ do: 'drop', when: { nth: 1 } }] });
  expect(fates(path, 1)).toBeUndefined();
  expect(readdirSync(folder)).toHaveLength(before + 1);
});

it('says at once that the file for matches cannot be written', () => {
  const matches = join(folder, 'none', 'matches');
  const path = written({ set: 1, faults: [{ do: 'drop' }], matches });
  expect(() => faultsFromLiveFile(path, log, refuse)).toThrow(/none[\\/]matches: .*ENOENT.*\[USAGE_CANNOT_WRITE\]/s);
  expect(existsSync(matches)).toBe(false);
});

it('keeps the last rules while the file has none that are valid, and says why', () => {
  const path = written({ set: 1, faults: [{ do: 'drop' }] });
  const refused: string[] = [];
  const { changed } = faultsFromLiveFile(path, log, ({ code }) => refused.push(code));
  for (const text of ['', '{"set": 2, "fau', '{"set": 2, "faults": [{"do": "cutt"}]}']) {
    writeFileSync(path, text);
    expect([changed!(), changed!()]).toEqual([undefined, undefined]);
  }
  expect(refused).toEqual(['FAULTS_UNREADABLE', 'FAULT_UNKNOWN']);
  writeFileSync(path, JSON.stringify({ set: 3, faults: [{ do: 'stall' }] }));
  expect(changed!()?.rules.map(({ fault }) => fault.kind.name)).toEqual(['stall']);
});

it('says at the start that the file is no JSON', () => {
  const path = join(folder, `${files++}.json`);
  writeFileSync(path, '{"set": 1');
  expect(() => faultsFromLiveFile(path, log, refuse)).toThrow(/it is no JSON: .*\[FAULTS_UNREADABLE\]/s);
});
