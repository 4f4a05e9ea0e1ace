import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfiguration, replaceConfiguration } from '../../../src/cli/wrap/configuration-file.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
let files = 0;

function configuration(bytes: string | Uint8Array): string {
  const file = join(folder, String(files++), 'mcp.json');
  mkdirSync(dirname(file));
  writeFileSync(file, bytes);
  return file;
}

describe('the configuration of a client', () => {
  it('is replaced, and kept as it was in the backup that is named', () => {
    const file = configuration('old');
    expect(replaceConfiguration(file, 'old', 'new')).toBe(`${file}.backup`);
    expect([file, `${file}.backup`].map((name) => readFileSync(name, 'utf8'))).toEqual(['new', 'old']);
  });

  it('is not replaced if another program changed it after it was read', () => {
    const file = configuration('of another program');
    expect(() => replaceConfiguration(file, 'old', 'new')).toThrow(/changed meanwhile.*WRAP_NOT_WRITTEN/);
    expect(readFileSync(file, 'utf8')).toBe('of another program');
  });

  it('is refused in another encoding than UTF-8, of which a rewritten text would lose bytes', () => {
    const file = configuration(Buffer.from('// caf\xe9\n{ "mcpServers": {} }', 'latin1'));
    expect(() => readConfiguration(file)).toThrow(/not in UTF-8.*WRAP_UNREADABLE/);
    expect(readConfiguration(configuration('\ufeff{ "é": 1 }'))).toBe('\ufeff{ "é": 1 }');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('is left without a backup', () => {
    const file = configuration('old');
    chmodSync(dirname(file), 0o500);
    expect(() => replaceConfiguration(file, 'old', 'new')).toThrow(/Cannot make a backup.*WRAP_NOT_WRITTEN/);
    chmodSync(dirname(file), 0o700);
    expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
  });
});
