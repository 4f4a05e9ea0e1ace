import { beforeAll, describe, expect, it } from 'vitest';
import { itOnPosix } from '../support/on-posix.ts';
import { fixture } from '../support/process.ts';
import { type Counts, countRecording, kilobytes } from './counted.ts';

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

  itOnPosix('order of writing', 'loads at most 10 files of 211 KB before it starts the server', () => {
    const { filesBeforeSpawn } = counts;
    expect(filesBeforeSpawn.length, filesBeforeSpawn.join('\n')).toBeLessThanOrEqual(10);
    expect(kilobytes(filesBeforeSpawn)).toBeLessThanOrEqual(211);
  });

  it('loads at most 20 files of 427 KB in all', () => {
    expect(counts.files.length, counts.files.join('\n')).toBeLessThanOrEqual(20);
    expect(kilobytes(counts.files)).toBeLessThanOrEqual(427);
  });

  it('loads no package: what it needs is part of it', () => {
    expect(counts.files.filter((path) => path.startsWith('node_modules/'))).toEqual([]);
  });

  it('writes to the disk once a message, and what it begins and ends with', () => {
    expect(counts.cassetteWrites).toBeLessThanOrEqual(2 * CALLS + 6);
  });

  it('writes less than twice what passes', () => {
    const passed = 2 * calls.join('\n').length;
    expect(counts.cassetteBytes).toBeLessThan(2 * passed);
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
