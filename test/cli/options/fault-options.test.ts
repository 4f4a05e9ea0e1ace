import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { fallsShort, faultsOf } from '../../../src/cli/options/fault-options.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { titled } from '../../support/on-posix.ts';

const file = join(temporaryFolder(), 'faults.yaml');

it.each(['stdio', 'http'] as const)(
  'a file without rules is as none over %s: nothing stands in the way that could misbehave',
  async (transport) => {
    writeFileSync(file, 'faults: []\n');
    expect(await faultsOf({ faults: file, fault: [] }, transport)).toBeUndefined();
    expect((await faultsOf({ faults: file, fault: ['drop'] }, transport))?.rules).toHaveLength(1);
  },
);

it('refuses a misspelt method, unless a played cassette has it', async () => {
  const cassette = parseCassette(
    'format: mcp-record/1\nevents:\n- client: { jsonrpc: "2.0", id: 1, method: search }\n',
    'a.yaml',
  );
  const options = { fault: ['drop:search'] };
  expect((await faultsOf(options, 'stdio', 'client', [cassette]))?.rules).toHaveLength(1);
  await expect(faultsOf(options, 'stdio')).rejects.toThrow("--fault 'drop:search'");
  writeFileSync(file, 'faults:\n- do: drop\n  when: { method: initialise }\n');
  const misspelt = faultsOf({ faults: file, fault: [] }, 'stdio', 'client', [cassette]);
  await expect(misspelt).rejects.toThrow(/faults\.yaml:3.*Did you mean "initialize"\?/s);
});

it('a journal that cannot be written is an error before anything starts', async () => {
  const journal = join(file, 'journal.jsonl');
  await expect(faultsOf({ fault: ['drop'], journal }, 'stdio')).rejects.toMatchObject({
    code: 'USAGE_CANNOT_WRITE',
  });
});

it.skipIf(process.platform !== 'linux')(
  titled('a full disk under a journal is said once, and fails the run', 'devices'),
  async () => {
    const said: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    onTestFinished(() => write.mockRestore());
    const options = { fault: ['drop'], journal: '/dev/full' };
    const faults = (await faultsOf(options, 'stdio'))!;
    expect(fallsShort(faults, [], options)).toBe(false);
    const fired = { rule: 1, fault: 'drop', from: 'server', message: 1, at: 0 } as unknown as Parameters<
      typeof faults.fired
    >[0];
    faults.fired(fired);
    faults.fired(fired);
    expect(said.filter((text) => text.includes('[USAGE_CANNOT_WRITE]'))).toHaveLength(1);
    expect(said.join()).toContain('ENOSPC');
    expect(fallsShort(faults, [], options)).toBe(true);
  },
);
