import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usersNotes, usersOf, withChangeUsers } from '../../../src/cli/used-by/consumer-cassettes-option.ts';
import type { Change } from '../../../src/match/contract-change-types.ts';
import type { Step } from '../../../src/text-report/outcome-model.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { call, cassette, client, request } from '../../support/conversation.ts';

const folder = temporaryFolder();
const file = join(folder, 'a.yaml');
writeFileSync(
  file,
  'format: mcp-record/1\ntransport: stdio\nevents:\n- client: { id: 1, method: tools/call, params: { name: add } }\n',
);
const removed = (name: string): Change => ({
  severity: 'breaking',
  path: '/result/tools/0',
  reason: `tool "${name}" was removed`,
  affects: { kind: 'tools', name },
});
const contract = cassette(client(request(1, 'tools/list')));

describe('--used-by', () => {
  it('reads the cassettes of its patterns once each', () => {
    expect(usersOf([])).toBeUndefined();
    expect(usersOf([file, `${folder}/*.yaml`, folder])!.cassettes.map((one) => one.file)).toEqual([file]);
    expect(() => usersOf([file, join(folder, '*.none')])).toThrow(/\[CASSETTE_NOT_FOUND\]/);
    writeFileSync(join(folder, 'bad.yaml'), 'format: mcp-record/1\nevents: 3\n');
    expect(() => usersOf([folder])).toThrow(/bad\.yaml/);
  });

  it('adds users to changes, and leaves things without changes alone', () => {
    const users = usersOf([file]);
    const step: Step = { title: 'tools/list', status: 'passed' };
    expect(withChangeUsers(step, users)).toBe(step);
    const changed = { changes: [removed('add'), removed('mul')] };
    expect(withChangeUsers(changed, undefined)).toBe(changed);
    expect(withChangeUsers(changed, users).changes.map(({ usedBy }) => usedBy)).toEqual([
      [{ file, line: 4, uses: 1 }],
      [],
    ]);
  });

  it('counts the breaking changes by their use', () => {
    const users = usersOf([file])!;
    const unknown: Change = { severity: 'breaking', path: '', reason: 'capability "experimental" was lost' };
    const { changes } = withChangeUsers({ changes: [removed('add'), removed('mul'), unknown] }, users);
    expect(usersNotes(users, { changes, contract })).toEqual([
      `Breaking changes: 1 used, 1 used by none, 1 of unknown use, in 1 cassette of ${file}.`,
      expect.stringContaining('as they are on the disk'),
    ]);
    expect(usersNotes(undefined, { changes, contract })).toEqual([]);
  });

  it('says what the compared session cannot show', () => {
    const users = usersOf([file])!;
    expect(usersNotes(users, { changes: [], contract: cassette(client(call(1, 'add'))) })).toEqual([
      `Breaking changes: 0 used, 0 used by none, in 1 cassette of ${file}.`,
      'cassette.yaml has no tools/list: whether a definition that tools/call needs has changed or is gone is not known. Another cassette does not count: record tools/list and tools/call in one session.',
    ]);
  });
});
