import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-show-'));
  file = join(folder, 'cassette.yaml');
  writeFileSync(file, TAPE);
});
afterAll(() => rmSync(folder, { recursive: true }));

let environment: Record<string, string> = {};
afterEach(() => {
  environment = {};
});

const TAPE = `format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- client:
    id: 0
    method: tools/call
    params:
      name: add
      arguments:
        a: 1
- server:
    id: 0
    result:
      content:
        - type: text
          text: '2'
  after: 400
- end: complete
`;

function show(...args: string[]) {
  const { command, args: all } = mcpRecord('show', ...args);
  return spawnSync(command, all, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...environment } });
}

describe('mcp-record show', () => {
  it('prints a session as a timeline', () => {
    const { stdout, stderr, status } = show('cassette.yaml');
    expect(stdout).toMatchInlineSnapshot(`
      "cassette.yaml · stdio · mcp-record 0.1.0

      line  seconds    took  bytes  what
         5    0.000  400 ms     74  → tools/call "add"  {"a":1}
        12    0.400             58  ←   result for 5  2

      1 request of the client and 0 of the server (1 answered), 0 notifications, 0.400 s
      "
    `);
    expect([stderr, status]).toEqual(['', 0]);
  });

  it('prints the same as JSON', () => {
    const { stdout, status } = show('cassette.yaml', '--json');
    expect(status).toBe(0);
    const { rows, ...rest } = JSON.parse(stdout);
    expect(rest).toMatchObject({ file: 'cassette.yaml', end: 'complete', lasted: 400, fates: { answered: 1 } });
    expect(rows).toMatchObject([
      { line: 5, kind: 'request', what: 'tools/call "add"', answer: 12, took: 400 },
      { line: 12, kind: 'response', what: 'result', detail: '2', request: 5 },
    ]);
  });

  it('says what is wrong with a file that is no cassette, and exits with 2', () => {
    const { stdout, stderr, status } = show('nothing.yaml');
    expect([stdout, status]).toEqual(['', 2]);
    expect(stderr).toContain('CASSETTE_NOT_FOUND');
    expect(stderr).not.toContain('    at ');
  });
});
