import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';
import { repository } from '../../../support/git.ts';
import { run } from '../../../support/process.ts';

/** A cassette as a recorder writes it: the arguments of the tool `weather`, and one call with its answer. */
function cassette(argument: string, { extra = '', said = 'fine', tail = '' } = {}): string {
  return `format: mcp-record/1
transport: stdio
events:
- client:
    jsonrpc: "2.0"
    id: 0
    method: tools/list
- server:
    jsonrpc: "2.0"
    id: 0
    result:
      tools:
        - name: first
          inputSchema:
            type: object
${extra}        - name: weather
          inputSchema:
            type: object
            properties:
              ${argument}:
                type: string
            required:
              - ${argument}
- client:
    jsonrpc: "2.0"
    id: 1
    method: tools/call
    params:
      name: first
- server:
    jsonrpc: "2.0"
    id: 1
    result:
      content:
        - type: text
          text: ${said}
${tail}- end: complete
`;
}

const PING =
  '- client:\n    jsonrpc: "2.0"\n    id: 2\n    method: ping\n- server: { jsonrpc: "2.0", id: 2, result: {} }\n';
const GONE = '        - name: gone\n          inputSchema:\n            type: object\n';

interface Result {
  level: string;
  message: { text: string };
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
}

describe('the SARIF of changes', () => {
  const repo = repository();
  const reports = join(repo.folder, 'reports');
  const changed = cassette('place', { said: 'rain' });
  let results: Result[];

  beforeAll(async () => {
    repo.put({
      'cassettes/a.yaml': cassette('city', { extra: GONE, tail: PING }),
      'cassettes/b.yaml': cassette('city'),
    });
    repo.commit();
    repo.put({ 'cassettes/a.yaml': changed, 'cassettes/b.yaml': undefined });
    const { status } = await run({
      ...mcpRecord('check', 'cassettes', '--base', 'main', '--reports', 'reports'),
      cwd: repo.folder,
    });
    expect(status).toBe(1);
    results = JSON.parse(readFileSync(join(reports, 'diff-cassettes.sarif'), 'utf8')).runs[0].results;
  });

  /** Returns a result that says something: its file, the text of its line, and its level. */
  function place(words: string): unknown[] {
    const { level, locations } = results.find(({ message }) => message.text.includes(words))!;
    const { artifactLocation, region } = locations[0]!.physicalLocation;
    const text = artifactLocation.uri === 'cassettes/a.yaml' ? changed.split('\n')[region.startLine - 1]!.trim() : '';
    return [artifactLocation.uri, text, level];
  }

  it('has each breaking change at its line of the new cassette', () => {
    expect(place('new required argument "place"')).toEqual(['cassettes/a.yaml', 'place:', 'error']);
    expect(place('argument "city" was removed')).toEqual(['cassettes/a.yaml', 'properties:', 'error']);
    expect(place('tool "gone" was removed')).toEqual(['cassettes/a.yaml', 'tools:', 'error']);
    expect(place('/result/content/0/text')).toEqual(['cassettes/a.yaml', 'text: rain', 'error']);
  });

  it('places what the new files do not have any more in these files', () => {
    expect(place('ping')).toEqual(['cassettes/a.yaml', 'format: mcp-record/1', 'error']);
    expect(place('deleted since main')).toEqual(['cassettes/b.yaml', '', 'error']);
    expect(results).toHaveLength(6);
  });

  it('names both versions in JUnit as on the terminal', () => {
    const xml = readFileSync(join(reports, 'diff-cassettes.xml'), 'utf8');
    expect(xml).toContain('--- main:cassettes/a.yaml:4\n+++ cassettes/a.yaml:4\n');
    expect(xml).toContain('--- main:cassettes/a.yaml:40\n+++ cassettes/a.yaml\n');
    expect(xml).not.toMatch(/--- recorded|\+\+\+ live/);
  });
});
