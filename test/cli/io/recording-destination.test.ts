import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordingDestination } from '../../../src/cli/io/recording-destination.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';

const newFile = freeNames(temporaryFolder());
const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

/** Opens the cassette of a session, and names it as the recorder does. */
function session({ open, named }: ReturnType<typeof recordingDestination>): string {
  const { path } = open();
  named?.(path);
  return path;
}

describe('the cassette of a recording', () => {
  it('is the file of -o, about which nothing is said', () => {
    const file = newFile();
    expect(session(recordingDestination(file, ['server']))).toBe(file);
    expect(said).toEqual([]);
  });

  it('is announced at the start where the file exists, before any session, and once', () => {
    const file = newFile();
    const second = file.replace('.yaml', '-2.yaml');
    const third = file.replace('.yaml', '-3.yaml');
    writeFileSync(file, 'mine');
    writeFileSync(second, 'mine');
    const destination = recordingDestination(file, ['server']);
    expect(said).toEqual([
      `mcp-record: ${file} exists and is kept: recording to ${third}. To replace a cassette, remove it first.\n`,
    ]);
    expect(existsSync(third)).toBe(false);
    expect(session(destination)).toBe(third);
    expect(said).toHaveLength(1);
  });

  it('is named where another process takes its name meanwhile', () => {
    const file = newFile();
    const destination = recordingDestination(file, ['server']);
    writeFileSync(file, 'theirs');
    expect(session(destination)).toBe(file.replace('.yaml', '-2.yaml'));
    expect(said).toEqual([`mcp-record: ${file} exists now: recording to ${file.replace('.yaml', '-2.yaml')}\n`]);
  });

  it('is named for each further session', () => {
    const file = newFile();
    const destination = recordingDestination(file, ['server']);
    session(destination);
    expect(session(destination)).toBe(file.replace('.yaml', '-2.yaml'));
    expect(said).toEqual([`mcp-record: recording to ${file.replace('.yaml', '-2.yaml')}\n`]);
  });

  it('is named again where it was announced as a file for discovery alone', () => {
    const file = newFile();
    const { named } = recordingDestination(file, ['server']);
    const probe = file.replace('.yaml', '.probe.yaml');
    named?.(probe);
    named?.(file);
    expect(said).toEqual([`mcp-record: recording to ${probe}\n`, `mcp-record: recording to ${file}\n`]);
  });
});
