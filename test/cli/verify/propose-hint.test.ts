import { describe, expect, it } from 'vitest';
import { proposeCommand, proposeHint } from '../../../src/cli/verify/propose-hint.ts';

const NO_RULES = { redactKey: [], redactPointer: [], redactPattern: [], redactAllow: [] };

describe('the command that proposes what to ignore', () => {
  const command = (words: readonly string[], options: object = {}) =>
    proposeCommand('a.yaml', words, { ...NO_RULES, ...options }).replace(/^npx /, '');

  it('has the server', () => {
    expect(command(['node', 'server.js'])).toBe('mcp-record verify --propose-ignores a.yaml -- node server.js');
    expect(command(['--', 'node', 's.js'], { timeout: '10000', timing: 'instant', header: [], fault: [] })).toBe(
      'mcp-record verify --propose-ignores a.yaml -- node s.js',
    );
  });

  it('has all options that change what the server gets, or how answers are compared', () => {
    const options = {
      ...{ redactKey: ['name'], redactAllow: ['x y'], redactRules: 'rules.yaml', secretsFromEnv: 'A,B' },
      ...{ ignore: ['/a'], ignorePattern: ['b+'], timeout: '500', timing: 'recorded', awaitEnd: true },
      ...{ faults: 'f.yaml', fault: ['drop'], seed: '3' },
    };
    expect(command(['node', 's.js'], options)).toBe(
      "mcp-record verify --propose-ignores --redact-key=name '--redact-allow=x y' --redact-rules=rules.yaml --secrets-from-env A,B --ignore /a --ignore-pattern b+ --faults f.yaml --fault drop --seed 3 --timeout 500 --timing recorded --await-end a.yaml -- node s.js",
    );
  });

  it('has the URL, and names of headers without their values', () => {
    const http = {
      http: 'http://127.0.0.1:1/mcp',
      header: ['Authorization: Bearer x'],
      ca: 'ca.pem',
      otherRequests: true,
    };
    expect(command([], http)).toBe(
      "mcp-record verify --propose-ignores --header 'Authorization: …' --ca ca.pem --other-requests --http http://127.0.0.1:1/mcp a.yaml",
    );
    expect(command([], { http: 'http://a:b@127.0.0.1/mcp?token=c' })).toBe(
      'mcp-record verify --propose-ignores --http URL a.yaml',
    );
  });
});

describe('the hint at it', () => {
  const outcomeOf = (recorded: string, live: string) => ({
    ...{ title: 'verify', file: 'a.yaml', notes: [], duration: 1 },
    steps: [{ title: 'x', status: 'failed' as const, recorded, live }],
  });

  it('comes if only values differ that are new in each run', async () => {
    expect(await proposeHint(outcomeOf('at 2026-01-01', 'at 2026-01-02'), 'COMMAND')).toMatch(/^hint: .*: COMMAND$/);
    expect(await proposeHint(outcomeOf('sunny', 'snow'), 'COMMAND')).toBeUndefined();
    expect(await proposeHint({ ...outcomeOf('a', 'b'), steps: [] }, 'COMMAND')).toBeUndefined();
  });
});
