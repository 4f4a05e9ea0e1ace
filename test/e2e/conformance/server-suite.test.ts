import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { type Listening, record, replay, serve } from '../http/processes.ts';
import { lintFindings } from './lint-findings.ts';
import { type Checks, conformance, required, type Verdict } from './suite.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let runs = 0;

/** What the official suite finds at `url`. */
function judge({ url }: Listening, revision: string): Promise<Verdict> {
  const results = join(folder, `results-${runs++}`);
  return conformance('server', { scenarios: required(revision), target: ['--url', url.href], results });
}

/** The same, where nothing may fail but what is known to. */
async function checksAt(listening: Listening, revision: string): Promise<Checks> {
  const { checks, status, said } = await judge(listening, revision);
  expect(status, said).toBe(0);
  return checks;
}

/** What two verdicts do not have in common, one check a line; the second of its name is `… #2`. */
function differences(found: Checks, wanted: Checks): string {
  const [ours, theirs] = [linesOf(found), linesOf(wanted)];
  const missing = theirs.filter((line) => !ours.includes(line)).map((line) => `- ${line}`);
  const added = ours.filter((line) => !theirs.includes(line)).map((line) => `+ ${line}`);
  return [...missing, ...added].join('\n');
}

function linesOf(checks: Checks): string[] {
  const lines = Object.entries(checks).flatMap(([name, said]) => said.map((check) => `${name}: ${check}`));
  return lines.map((line, at) => `${line} #${lines.slice(0, at + 1).filter((other) => other === line).length}`);
}

/** What the client of the suite breaks to see how a server takes it. The server breaks nothing. */
const BROKEN_ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['initialize-first: tools/list came before the answer to initialize'],
  '2026-07-28': [
    'removed-method: initialize was removed',
    'removed-method: logging/setLevel was removed',
    'removed-method: ping was removed',
    'removed-method: resources/subscribe was removed',
    'removed-method: resources/unsubscribe was removed',
    'request-describes-itself: "io.modelcontextprotocol/clientCapabilities" is missing',
    'request-describes-itself: "io.modelcontextprotocol/protocolVersion" is missing',
    'request-state: no answer has given this requestState',
    "schema: /params must have required property '_meta'",
    "schema: /params/_meta must have required property 'io.modelcontextprotocol/clientCapabilities'",
    "schema: /params/_meta must have required property 'io.modelcontextprotocol/protocolVersion'",
    'schema: /params/inputResponses must be object',
    'schema: /params/inputResponses/user_name must be object',
  ],
};

const server = () => serve({ command: process.execPath, args: [join(import.meta.dirname, 'server.js')] }, '/mcp');

describe.each(['2025-11-25', '2026-07-28'])('the official suite for servers of %s', (revision) => {
  const cassettes = () => join(folder, revision);
  let direct: Checks;

  it('finds the same with a recorder in between', async () => {
    await using far = await server();
    direct = await checksAt(far, revision);
    await using recorder = await record(far.url, `${cassettes()}/`);
    expect(differences(await checksAt(recorder, revision), direct)).toBe('');
    expect((await recorder.stop()).status).toBe(0);
    const isOurs = (line: string) => /^(mcp-record: | {2})/.test(line);
    expect(recorder.said.filter((line) => !isOurs(line))).toEqual([]);
  });

  it('leaves cassettes that load, and show no session id', () => {
    const names = readdirSync(cassettes());
    expect(names).not.toEqual([]);
    for (const name of names) {
      const file = join(cassettes(), name);
      expect(loadCassette(file).warnings).toEqual([]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    }
  });

  it('leaves cassettes in which lint finds what the suite breaks on purpose, and nothing else', () => {
    expect(lintFindings(cassettes())).toEqual(BROKEN_ON_PURPOSE[revision]);
  });

  it('finds the same in the replay, twice in a row and twice at once', async () => {
    await using mock = await replay(`${cassettes()}/`);
    for (const _time of [1, 2]) expect(differences((await judge(mock, revision)).checks, direct)).toBe('');
    const both = await Promise.all([1, 2].map(() => judge(mock, revision)));
    for (const { checks } of both) expect(differences(checks, direct)).toBe('');
    await mock.stop();
  });
});

describe.runIf(process.env.CONFORMANCE === 'whole')('all that the official suite has for servers', () => {
  it('comes out the same with a recorder in between, and in the replay, each time', {
    timeout: 600_000,
  }, async () => {
    const checksOf = async ({ url }: Listening): Promise<Checks> => {
      const results = join(folder, `results-${runs++}`);
      const target = ['--url', url.href];
      return (await conformance('server', { scenarios: ['--suite', 'all'], target, results })).checks;
    };
    await using far = await server();
    const direct = await checksOf(far);
    expect(linesOf(direct).length).toBeGreaterThan(200);
    await using recorder = await record(far.url, `${join(folder, 'all')}/`);
    expect(differences(await checksOf(recorder), direct)).toBe('');
    await recorder.stop();
    await using mock = await replay(`${join(folder, 'all')}/`);
    for (const _time of [1, 2, 3]) expect(differences(await checksOf(mock), direct)).toBe('');
  });
});
