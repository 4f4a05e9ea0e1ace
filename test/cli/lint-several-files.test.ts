import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { BROKEN, lint } from './linted.ts';

const folder = temporaryFolder();
const cassettes = join(import.meta.dirname, '..', '..', 'cassettes');
const broken = join(folder, 'broken.yaml');
writeFileSync(broken, BROKEN);

/** Returns the file of a result of SARIF. */
function uriOf({ locations }: { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] }): string {
  return locations[0].physicalLocation.artifactLocation.uri;
}

describe('lint', () => {
  describe('as JUnit', () => {
    const good = join(cassettes, 'everything.yaml');
    const warned = join(folder, 'warned.yaml');
    const damaged = join(folder, 'damaged-too.yaml');
    const tools = '[{ name: a, inputSchema: { type: object } }, { name: a, inputSchema: { type: object } }]';
    writeFileSync(
      warned,
      `format: mcp-record/1
events:
- client: { id: 1, method: initialize, params: { protocolVersion: 2025-11-25, capabilities: {}, clientInfo: { name: c, version: '1' } } }
- server: { id: 1, result: { protocolVersion: 2025-11-25, capabilities: { tools: {} }, serverInfo: { name: s, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 2, method: tools/list }
- server: { id: 2, result: { tools: ${tools} } }
`,
    );
    writeFileSync(damaged, 'format: mcp-record/1\nevents:\n- sever: { id: 1 }\n');
    const xml = join(folder, 'lint.xml');
    const junit = async (...files: string[]) => {
      const { status } = await lint('--junit', xml, ...files);
      return { status, text: readFileSync(xml, 'utf8') };
    };

    it('has a passed case for a clean file', async () => {
      const { status, text } = await junit(good);
      expect(status).toBe(0);
      expect(text).toContain(`<testsuite name="lint ${good}" tests="1" failures="0" errors="0" skipped="0"`);
      expect(text).toContain(`<testcase classname="${good}" name="lint" time="0.000"/>`);
    });

    it('fails a file for its errors, each with line and rule, and passes one with warnings, which it lists', async () => {
      const { status, text } = await junit(good, broken, warned);
      expect(status).toBe(1);
      expect(text).toContain('<testsuite name="lint 3 files" tests="3" failures="1" errors="0" skipped="0"');
      const [, message, body] =
        /classname="[^"]*broken.yaml" name="lint" time="0.000"><failure message="(.*?)">(.*?)<\/failure>/s.exec(text)!;
      expect(message).toBe(
        `${broken}:4 error client: tools/call came before the answer to initialize [initialize-first] (and 2 more errors)`,
      );
      expect(body!.split('\n').filter((line) => !line.startsWith('    '))).toEqual([
        `${broken}:4 error client: tools/call came before the answer to initialize [initialize-first]`,
        `${broken}:5 error server: this line is not a message, and clients may fail on it [only-messages]`,
        `${broken}:6 error server: no request with id 2 is open [response-to-request]`,
      ]);
      expect(text).toMatch(
        /warned.yaml" name="lint" time="0.000"><system-out>[^<]*:7 warning server: .* \[unique-names\]\n.*<\/system-out><\/testcase>/,
      );
    });

    it('has an error for a file that cannot be read, alone or among others', async () => {
      for (const files of [[damaged], [good, damaged]]) {
        const { status, text } = await junit(...files);
        expect(status).toBe(2);
        expect(text).toContain(`tests="${files.length}" failures="0" errors="1" skipped="0"`);
        expect(text).toContain(
          `<testcase classname="${damaged}" name="lint (line 3)" time="0.000"><error type="CASSETTE_BAD_EVENT"`,
        );
      }
    });
  });

  describe('of several files', () => {
    const good = join(cassettes, 'everything.yaml');
    const other = join(folder, 'other.yaml');
    const damaged = join(folder, 'damaged.yaml');
    writeFileSync(other, readFileSync(broken));
    writeFileSync(damaged, 'format: mcp-record/1\nevents:\n- sever: { id: 1 }\n');

    it('lists the findings by file, sums them up, and exits with 1 if any file has an error', async () => {
      const { stdout, status } = await lint(good, broken, other);
      const lines = stdout.split('\n').filter((line) => !line.startsWith('    '));
      expect(lines.map((line) => line.replace(/ .*/, ''))).toEqual([
        ...[4, 5, 6].map((line) => `${broken}:${line}`),
        '',
        ...[4, 5, 6].map((line) => `${other}:${line}`),
        '',
        '6',
        '',
      ]);
      expect(lines.at(-2)).toBe('6 errors, 0 warnings in 2 of 3 files');
      expect(status).toBe(1);
      expect(await lint(good, good)).toMatchObject({ stdout: '0 errors, 0 warnings in 2 files\n', status: 0 });
    });

    it('names the file of each finding as JSON and SARIF', async () => {
      const sarif = join(folder, 'several.sarif');
      const { stdout } = await lint(broken, good, other, '--json', '--sarif', sarif);
      const { files, violations } = JSON.parse(stdout);
      expect(files).toEqual([broken, good, other]);
      expect(violations.map(({ file }: never) => file)).toEqual([broken, broken, broken, other, other, other]);
      const [{ results }] = JSON.parse(readFileSync(sarif, 'utf8')).runs;
      const uris = results.map((result: never) => uriOf(result));
      expect(uris.map((uri: string) => uri.replace(/.*\//, ''))).toEqual([
        ...Array(3).fill(basename(broken)),
        ...Array(3).fill('other.yaml'),
      ]);
    });

    it('names a file that it cannot read, looks at the others, and exits with 2', async () => {
      const sarif = join(folder, 'unreadable.sarif');
      const { stdout, stderr, status } = await lint(damaged, broken, '--json', '--sarif', sarif);
      expect([stderr, status]).toEqual([expect.stringContaining('[CASSETTE_BAD_EVENT]'), 2]);
      const { files, violations, unreadable } = JSON.parse(stdout);
      expect([files, violations.length]).toEqual([[broken], 3]);
      expect(unreadable).toMatchObject([{ file: damaged, error: { code: 'CASSETTE_BAD_EVENT' } }]);
      const [{ results, invocations }] = JSON.parse(readFileSync(sarif, 'utf8')).runs;
      expect(invocations).toEqual([{ executionSuccessful: false }]);
      expect(results.at(-1).ruleId).toBe('CASSETTE_BAD_EVENT');
      expect(uriOf(results.at(-1) as never)).toContain('damaged.yaml');
      expect((await lint(damaged, broken)).stdout).toContain('3 errors, 0 warnings in 1 of 1 file, 1 with an error\n');
    });
  });

  it('takes a folder with its folders, and a pattern that no shell has expanded', async () => {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'deep'), { recursive: true });
    for (const name of ['one.yaml', 'deep/two.yaml']) copyFileSync(broken, join(tree, name));
    for (const [words, count] of [
      [[tree], 2],
      [[join(tree, '**')], 2],
      [[join(tree, '*.yaml')], 1],
      [[join(tree, 'deep'), join(tree, 'one.yaml')], 2],
    ] as const) {
      const { stdout, status } = await lint(...words);
      expect([stdout.match(/initialize-first/g)!.length, status]).toEqual([count, 1]);
    }
  });

  it('says of a pattern that no file matches', async () => {
    const { stderr, status } = await lint(join(folder, 'empty', '*.yaml'));
    expect([stderr, status]).toEqual([
      expect.stringMatching(/no file matches this pattern. \[CASSETTE_NOT_FOUND\]\n {2}Check the folder/),
      2,
    ]);
  });

  it('refuses what it cannot read or write', async () => {
    const missing = await lint(join(folder, 'none.yaml'));
    expect([missing.stderr, missing.status]).toEqual([expect.stringContaining('[CASSETTE_NOT_FOUND]'), 2]);
    const nowhere = await lint(broken, '--sarif', join(broken, 'x.sarif'));
    expect([nowhere.stderr, nowhere.status]).toEqual([expect.stringContaining('[USAGE_CANNOT_WRITE]'), 2]);
  });
});
