import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { BROKEN, lint } from './linted.ts';

const folder = temporaryFolder();
const cassettes = join(import.meta.dirname, '..', '..', 'cassettes');
const broken = join(folder, 'broken.yaml');
writeFileSync(broken, BROKEN);

describe('lint', () => {
  it('says nothing of a session that keeps the protocol', async () => {
    const { stdout, status } = await lint(join(cassettes, 'everything.yaml'));
    expect([stdout, status]).toEqual(['0 errors, 0 warnings\n', 0]);
  });

  it('says who broke what, where, and by which rule; and exits with 1', async () => {
    const { stdout, status } = await lint(broken);
    expect(stdout).toBe(`${broken}:4 error client: tools/call came before the answer to initialize  [initialize-first]
    The first interaction is initialize. Before its answer, a client sends only pings. (Lifecycle, "Initialization")
${broken}:5 error server: this line is not a message, and clients may fail on it  [only-messages]
    Over stdio, standard output and input carry only messages. Logs belong to standard error. (Transports, "stdio")
${broken}:6 error server: no request with id 2 is open  [response-to-request]
    A response has the id of an open request of the other side, as the same JSON type. Each request gets one response. (Base protocol, "Messages")

3 errors, 0 warnings
`);
    expect(status).toBe(1);
  });

  it('says it as JSON and as SARIF for programs', async () => {
    const sarif = join(folder, 'lint.sarif');
    const { stdout } = await lint(broken, '--json', '--sarif', sarif);
    expect(JSON.parse(stdout).violations.map(({ rule, line }: never) => [rule, line])).toEqual([
      ['initialize-first', 4],
      ['only-messages', 5],
      ['response-to-request', 6],
    ]);
    const [{ tool, results }] = JSON.parse(readFileSync(sarif, 'utf8')).runs;
    expect(tool.driver.rules.map(({ id }: never) => id)).toEqual([
      'initialize-first',
      'only-messages',
      'response-to-request',
    ]);
    expect(results[1]).toMatchObject({ ruleId: 'only-messages', level: 'error' });
  });
});
