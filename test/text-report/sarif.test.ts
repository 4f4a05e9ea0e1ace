import { describe, expect, it } from 'vitest';
import type { Change, Step } from '../../src/text-report/outcome-model.ts';
import { sarif } from '../../src/text-report/sarif.ts';

const log = (file: string, ...steps: Step[]) =>
  JSON.parse(sarif({ title: 'verify', file, steps, notes: [], duration: 0 }, '1.2.3'));
const failed = (...severities: Change['severity'][]): Step => ({
  title: 'tools/list',
  line: 7,
  status: 'failed',
  headline: 'no',
  details: ['because'],
  changes: severities.map((severity) => ({ severity, path: '', reason: '' })),
});

interface Result {
  level: string;
  message: { text: string };
  locations: { physicalLocation: { region: { startLine: number } } }[];
  partialFingerprints: { primaryLocationLineHash: string };
}
const lineOf = (one: Result) => one.locations[0]!.physicalLocation.region.startLine;

describe('sarif', () => {
  it('has a category for all that was named, so that two uploads of a job do not replace each other', () => {
    const outcome = {
      title: 'lint',
      file: 'shop/a.yaml',
      named: ['shop', 'more/*.yaml'],
      steps: [],
      notes: [],
      duration: 0,
    };
    const { automationDetails } = JSON.parse(sarif(outcome, '1.2.3')).runs[0];
    expect(automationDetails).toEqual({ id: 'lint shop more/*.yaml/' });
  });

  it('places what failed at its line of the cassette', () => {
    expect(log('cassettes/a b.yaml', { title: 'ping', line: 1, status: 'passed' }, failed())).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'mcp-record',
              version: '1.2.3',
              rules: [{ id: 'verify', shortDescription: { text: 'mcp-record verify' } }],
            },
          },
          automationDetails: { id: 'verify cassettes/a b.yaml/' },
          results: [
            {
              ruleId: 'verify',
              level: 'error',
              message: { text: 'tools/list: no\nbecause' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'cassettes/a%20b.yaml' },
                    region: { startLine: 7 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('has a result for each change, with its severity and its words', () => {
    const changes: Change[] = [
      {
        severity: 'breaking',
        path: '/result/tools/0/inputSchema/properties/city',
        reason: 'argument "city" was removed',
      },
      {
        severity: 'breaking',
        path: '/result/tools/0/inputSchema/required/0',
        reason: 'new required argument "place"',
        line: 9,
      },
      { severity: 'suspicious', path: '/result', reason: 'now hides a text' },
      { severity: 'compatible', path: '/result', reason: 'new tool "b"' },
      { severity: 'cosmetic', path: '/result', reason: 'description changed', usedBy: [] },
    ];
    const { results } = log('a.yaml', { ...failed(), changes, hasAllChanges: true }).runs[0];
    expect(results.map((one: Result) => [one.level, one.message.text, lineOf(one)])).toEqual([
      [
        'error',
        'tools/list: breaking: argument "city" was removed (/result/tools/0/inputSchema/properties/city)\nbecause',
        7,
      ],
      ['error', 'tools/list: breaking: new required argument "place" (/result/tools/0/inputSchema/required/0)', 9],
      ['warning', 'tools/list: suspicious: now hides a text (/result)', 7],
      ['warning', 'tools/list: compatible: new tool "b" (/result)', 7],
      ['note', 'tools/list: cosmetic: description changed (/result)\n  used by none of the cassettes', 7],
    ]);
    const ids = results.map((one: Result) => one.partialFingerprints.primaryLocationLineHash);
    expect(new Set(ids).size).toBe(5);
  });

  it('has an error for a difference beside harmless changes, which no rule judges', () => {
    const { results } = log('a.yaml', failed('cosmetic')).runs[0];
    expect(results.map((one: Result) => [one.level, one.message.text])).toEqual([
      ['error', 'tools/list: no\nbecause'],
      ['note', 'tools/list: cosmetic:  ()'],
    ]);
  });

  it('reports what a newer file no longer has in this file', () => {
    const { results } = log('b.yaml', { ...failed(), file: 'main:a.yaml', missingIn: 'a.yaml' }).runs[0];
    expect(results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'a.yaml' },
      region: { startLine: 1 },
    });
  });

  it('names an absolute path as a URI, and gives what has no line the first', () => {
    const { line: _line, ...nowhere } = failed();
    expect(log('/tmp/a b.yaml', nowhere).runs[0].results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: expect.stringMatching(/^file:\/\/\/(?:[A-Z]:\/)?tmp\/a%20b\.yaml$/) },
      region: { startLine: 1 },
    });
  });
});
