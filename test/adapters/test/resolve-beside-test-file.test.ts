import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { resolveCassettePath } from '../../../src/adapters/test/resolve-beside-test-file.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const testFile = join(folder, 'test', 'a.test.js');
mkdirSync(join(folder, 'test', 'cassettes'), { recursive: true });
writeFileSync(join(folder, 'test', 'cassettes', 'beside.yaml'), '');

describe('a relative path of a cassette', () => {
  it('is of the folder of the test file', () => {
    expect(resolveCassettePath('cassettes/beside.yaml', testFile)).toBe(
      join(folder, 'test', 'cassettes', 'beside.yaml'),
    );
    // One that is at both places.
    expect(resolveCassettePath('package.json', resolve('examples/jest/a.test.js'))).toBe(
      resolve('examples/jest/package.json'),
    );
  });

  it('is of the working directory where only there is something', () => {
    expect(resolveCassettePath('cassettes/everything.yaml', testFile)).toBe(resolve('cassettes/everything.yaml'));
  });

  it('is of the folder of the test file where there is nothing', () => {
    expect(resolveCassettePath('cassettes/none.yaml', testFile)).toBe(join(folder, 'test', 'cassettes', 'none.yaml'));
  });

  it('is of the working directory where no test file is known', () => {
    expect(resolveCassettePath('cassettes/beside.yaml', undefined)).toBe(resolve('cassettes/beside.yaml'));
    expect(resolveCassettePath(join(folder, 'x.yaml'), undefined)).toBe(join(folder, 'x.yaml'));
  });
});

it('that is missing is named as a whole, in each way to use it', async () => {
  const mcp = openMcp({ file: relative('.', testFile), names: ['one'] });
  const none = join(folder, 'test', 'none.yaml');
  await expect(mcp.server('none.yaml')).rejects.toThrow(none);
  await expect(mcp.server('none.yaml', { over: 'http' })).rejects.toThrow(none);
  await expect(mcp.server('none.yaml', { over: 'stdio' })).rejects.toThrow(none);
  await expect(mcp.connect({ command: 'none' }, { cassette: 'none.yaml', mode: 'replay' })).rejects.toThrow(none);
  await expect((async () => mcp.client('none.yaml', { command: 'none' }))()).rejects.toThrow(none);
});
