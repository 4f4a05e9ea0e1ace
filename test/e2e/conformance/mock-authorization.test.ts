import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientScenarios, conformance, scenario, throughMock } from './suite.ts';

/** All of it takes minutes: `npm run conformance`. */
const isWhole = process.env.CONFORMANCE === 'whole';

/** A client that logs in twice, and one that must not trust the server. */
const SHORT: [revision: string, name: string][] = [
  ['2025-11-25', 'auth/scope-step-up'],
  ['2026-07-28', 'auth/iss-wrong-issuer'],
];

/** No client passes this one through a recorder: it signs the address of the authorization server. */
const IMPOSSIBLE = 'auth/client-credentials-jwt';

/** The metadata of the resource name another authorization server at the second login. The mock server has one. */
const OTHER = 'auth/authorization-server-migration';

/** How a client ended, and the steps of its logins. */
interface Login {
  status: number;
  login: string[];
}

const cases: [revision: string, name: string][] = isWhole ? [] : SHORT;
if (isWhole)
  for (const revision of ['2025-11-25', '2026-07-28'])
    for (const name of await clientScenarios(revision))
      if (name.startsWith('auth/') && name !== IMPOSSIBLE) cases.push([revision, name]);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-mock-authorization-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const client = [process.execPath, join(import.meta.dirname, 'client.js')];

describe('a client of the official suite logs in to a mock server alone as to the server of the suite', () => {
  it.each(cases)('%s: %s', { timeout: 300_000 }, async (revision, name) => {
    const place = join(folder, revision);
    const judged = await conformance('client', {
      scenarios: [...scenario(revision, name), '--force'],
      target: ['--command', throughMock(place, client).join(' ')],
      results: join(folder, 'results', revision, name),
    });
    expect(judged.status, judged.said).toBe(0);
    const file = join(place, name, 'logins.json');
    const { server, mock } = JSON.parse(readFileSync(file, 'utf8')) as Record<'server' | 'mock', Login>;
    expect(mock.login).not.toEqual([]);
    expect(mock.status).toBe(server.status);
    if (name === OTHER) expect(mock.login).toEqual(server.login.slice(0, mock.login.length));
    else expect(mock.login).toEqual(server.login);
  });
});
