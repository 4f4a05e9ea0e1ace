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
const level = (step: Step) => log('a.yaml', step).runs[0].results[0].level;

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

  it('is as bad as the worst change', () => {
    expect([level(failed('cosmetic')), level(failed('cosmetic', 'compatible'))]).toEqual(['note', 'warning']);
    expect([level(failed('cosmetic', 'breaking')), level(failed())]).toEqual(['error', 'error']);
  });

  it('names an absolute path as a URI, and gives what has no line the first', () => {
    const { line: _line, ...nowhere } = failed();
    expect(log('/tmp/a b.yaml', nowhere).runs[0].results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: expect.stringMatching(/^file:\/\/\/(?:[A-Z]:\/)?tmp\/a%20b\.yaml$/) },
      region: { startLine: 1 },
    });
  });
});
