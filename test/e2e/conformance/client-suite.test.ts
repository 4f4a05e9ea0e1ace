import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { lintFindings } from './lint-findings.ts';
import { type Checks, conformance, required, scenario, throughRecorder } from './suite.ts';

/** All of it takes minutes: `npm run conformance`. */
const isWhole = process.env.CONFORMANCE === 'whole';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const runs: [name: string, revision: string, scenarios: string[]][] = REVISIONS.flatMap((revision) =>
  isWhole
    ? [['all scenarios', revision, required(revision)] as [string, string, string[]]]
    : ['tools_call', 'auth/scope-step-up'].map((name): [string, string, string[]] => [
        name,
        revision,
        scenario(revision, name),
      ]),
);

/**
 * No client can pass these through a proxy at another address: it signs the address of the authorization server, which it
 * knows by the address of the proxy.
 */
const IMPOSSIBLE = ['auth/client-credentials-jwt'];

/** A server of the suite lists tools with bad headers, and gives a result without a type, to see what a client makes of them. */
const BROKEN_ON_PURPOSE = [
  'param-header: tool "invalid_array_header": "Items" is at an argument of type "array"',
  'param-header: tool "invalid_colon_in_name": "Region:Primary" is not a name of a header',
  'param-header: tool "invalid_control_char_name": "Region\\t1" is not a name of a header',
  'param-header: tool "invalid_duplicate_diff_case": two arguments have "MyField"',
  'param-header: tool "invalid_duplicate_same_case": two arguments have "Region"',
  'param-header: tool "invalid_empty_header": "" is not a name of a header',
  'param-header: tool "invalid_non_ascii_name": "Région" is not a name of a header',
  'param-header: tool "invalid_null_header": "Nil" is at an argument of type "null"',
  'param-header: tool "invalid_number_header": "Score" is at an argument of type "number"',
  'param-header: tool "invalid_object_header": "Data" is at an argument of type "object"',
  'param-header: tool "invalid_space_in_name": "My Region" is not a name of a header',
  'result-type: "resultType" is missing',
  "schema: /result must have required property 'resultType'",
];

/** How the client's user agrees: in a browser, or in a program that reads the first redirect. */
const browsers: [name: string, ...options: string[]][] = [
  ['a browser'],
  ['a program that follows no redirect', '--one-redirect'],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What was judged: a scenario also tells what passed, as often as it did. */
function judged(checks: Checks): Checks {
  const possible = Object.entries(checks).filter(([name]) => !IMPOSSIBLE.includes(name));
  return Object.fromEntries(
    possible.map(([name, found]) => [name, found.filter((check) => !check.endsWith(': INFO'))]),
  );
}

const cases = runs.flatMap(([name, revision, scenarios]) =>
  browsers
    .filter(([, ...options]) => options.length === 0 || name !== 'tools_call')
    .map(([browser, ...options]) => ({ name, revision, scenarios, browser, options })),
);

describe.each(cases)('$name for clients of $revision with $browser', (one) => {
  const { name, revision, scenarios, browser, options } = one;
  const at = (place: string) =>
    join(folder, ...[revision, name, browser, place].map((part) => part.replaceAll(/[^\w/]+/g, '-')));

  const client = [process.execPath, join(import.meta.dirname, 'client.js'), ...options];

  it('find the same with a recorder in between', { timeout: 300_000 }, async () => {
    const direct = await conformance('client', {
      scenarios,
      target: ['--command', client.join(' ')],
      results: at('direct'),
    });
    expect(direct.status, direct.said).toBe(0);
    const recorded = await conformance('client', {
      scenarios,
      target: ['--command', throughRecorder(at('recorder'), client).join(' ')],
      results: at('recorded'),
    });
    expect(judged(recorded.checks)).toEqual(judged(direct.checks));
  });

  it('leave cassettes in which lint finds what the server of the suite breaks on purpose, and nothing else', () => {
    const isBroken = revision === '2026-07-28' && isWhole;
    expect(lintFindings(at('recorder/cassettes'))).toEqual(isBroken ? BROKEN_ON_PURPOSE : []);
  });

  it('leave cassettes that load, and show no credential', () => {
    const names = readdirSync(at('recorder/cassettes'));
    expect(names).not.toEqual([]);
    for (const file of names.map((one) => join(at('recorder/cassettes'), one))) {
      expect(loadCassette(file).warnings).toEqual([]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/test-token|test-auth-code|secret|PRIVATE KEY|eyJ/);
    }
  });
});
