import { beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../support/process.ts';
import { type Counts, countRecording } from './counted.ts';

/** What a client would wait for, counted: no machine is slow enough to fail this, and none fast enough to hide a loss. */
describe('a recorder of fifty calls', () => {
  const CALLS = 50;
  const calls = Array.from({ length: CALLS }, (_, id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { id } } }),
  );
  let counts: Counts;
  beforeAll(async () => {
    counts = await countRecording(fixture('answers.js'), calls);
  });

  it('loads at most 28 modules before it starts the server', () => {
    const { modulesBeforeSpawn } = counts;
    expect(modulesBeforeSpawn.length, modulesBeforeSpawn.join('\n')).toBeLessThanOrEqual(28);
  });

  it('loads at most 99 modules in all', () => {
    expect(counts.modules.length, counts.modules.join('\n')).toBeLessThanOrEqual(99);
  });

  it('loads no package but the two that read the command line and colour its errors', () => {
    const packages = counts.modules.flatMap((path) => /^node_modules\/(.+?)\//.exec(path)?.[1] ?? []);
    expect(new Set(packages)).toEqual(new Set(['commander', 'picocolors']));
  });

  it('writes to the disk once a message, and what it begins and ends with', () => {
    expect(counts.tapeWrites).toBeLessThanOrEqual(2 * CALLS + 6);
  });

  it('writes less than twice what passes', () => {
    const passed = 2 * calls.join('\n').length;
    expect(counts.tapeBytes).toBeLessThan(2 * passed);
  });

  it('joins nothing where messages come whole', () => {
    expect(counts.joinedBytes).toBe(0);
  });
});

describe('a recorder of answers that come in pieces', () => {
  const MEGABYTE = 1024 * 1024;
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';

  it('joins each once', async () => {
    const { joinedBytes } = await countRecording(fixture('answers.js', String(MEGABYTE)), [call, call]);
    expect(joinedBytes).toBeGreaterThan(0);
    expect(joinedBytes).toBeLessThan(2.1 * MEGABYTE);
  });
});
