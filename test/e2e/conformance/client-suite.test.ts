import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/load.ts';
import { type Checks, conformance, required, scenario } from './suite.ts';

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
 * What no client can do through a proxy at another address: sign the address of an authorization server that it knows by
 * that of the proxy, and compare its name with that of the proxy (RFC 9207).
 */
const IMPOSSIBLE = [
  'auth/client-credentials-jwt',
  'auth/iss-normalized',
  'auth/iss-supported-missing',
  'auth/iss-unexpected',
  'auth/iss-wrong-issuer',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A command of this folder, as the suite takes it. */
const command = (file: string, ...args: string[]) => [
  '--command',
  [process.execPath, join(import.meta.dirname, file), ...args].join(' '),
];

/** What was judged: a scenario also tells what passed, as often as it did. */
function judged(checks: Checks): Checks {
  const possible = Object.entries(checks).filter(([name]) => !IMPOSSIBLE.includes(name));
  return Object.fromEntries(
    possible.map(([name, found]) => [name, found.filter((check) => !check.endsWith(': INFO'))]),
  );
}

describe.each(runs)('%s for clients of %s', (name, revision, scenarios) => {
  const at = (place: string) => join(folder, revision, name.replaceAll(/\W+/g, '-'), place);

  it('find the same with a recorder in between', { timeout: 300_000 }, async () => {
    const direct = await conformance('client', {
      scenarios,
      target: command('client.js'),
      results: at('direct'),
    });
    expect(direct.status, direct.said).toBe(0);
    const recorded = await conformance('client', {
      scenarios,
      target: command('through-recorder.js', at('tapes')),
      results: at('recorded'),
    });
    expect(judged(recorded.checks)).toEqual(judged(direct.checks));
  });

  it('leave tapes that load, and show no credential', () => {
    const names = readdirSync(at('tapes'));
    expect(names).not.toEqual([]);
    for (const file of names.map((one) => join(at('tapes'), one))) {
      expect(loadCassette(file).warnings).toEqual([]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/test-token|test-auth-code|secret|PRIVATE KEY|eyJ/);
    }
  });
});
