import { describe, expect, it } from 'vitest';
import { scenarioIn, searchScenario } from '../../../src/record/redact-file/search-scenario.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const HEAD = 'cassette: a.yaml\nplay: server\n';
const LEAST = `${HEAD}expect:\n- exit: 0\n`;

describe('a scenario', () => {
  it.each([
    ['has its required keys', LEAST, true],
    ['has line breaks of Windows, too', LEAST.replaceAll('\n', '\r\n'), true],
    ['is nothing without expectations', HEAD, false],
    ['is no cassette', `format: mcp-record/1\n${LEAST}`, false],
    ['is no damaged cassette', `${LEAST}events: []\n`, false],
    ['is valid YAML', `${LEAST}x: [\n`, false],
  ])('%s', (_, text, isOne) => expect(scenarioIn(text, 'a.yaml') !== undefined).toBe(isOne));

  const found = (more: string) => {
    const text = `${LEAST}faults:\n- do: patch\n  patch:\n${more}`;
    const { secrets } = searchScenario(
      text,
      scenarioIn(text, 'a.yaml')!,
      createRedactor({ env: {}, rules: [{ key: 'account' }] }),
    );
    return secrets.map(({ line, kind }) => `${line} ${kind}`);
  };

  it.each([
    ['nothing', '  - { account: , other: x }\n', []],
    ['a value of a key', '  - other: x\n  - { account: north-4711, other: x }\n', ['9 account']],
    ['a key that is a secret', '  - other: x\n  - 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: 1\n', ['9 github-token']],
    [
      'a comment, and a value once',
      '  - password: zebra-92-lamp # password=tiger-17-door\n',
      ['8 password', '8 password'],
    ],
  ])('is searched: %s', (_, more, secrets) => expect(found(more)).toEqual(secrets));
});
