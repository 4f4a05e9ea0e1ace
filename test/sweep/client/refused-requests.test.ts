import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { PATIENT, swept } from './sweeps.ts';

const folder = temporaryFolder();
const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const answer =
  '{ id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {}, logging: {} }, serverInfo: { name: s, version: "1" } } }';

const json = write(
  'json.yaml',
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: ${answer}
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather } }
- server: { method: notifications/message, params: { level: info, data: sunny } }
- server: { id: 1, result: { content: [] } }
`,
);
/** Every answer comes in an event stream, which a client may resume. */
const sse = write(
  'sse.yaml',
  `format: mcp-record/1
transport: http
events:
- client: { id: 0, method: initialize, params: {} }
  stream: 1
- sse: { id: a, retry: 10 }
  stream: 1
- server: ${answer}
  stream: 1
  session: new
  sse: { id: b }
- client: { method: notifications/initialized }
  stream: 2
- client: { id: 1, method: tools/call, params: { name: weather } }
  stream: 3
- sse: { id: c, retry: 10 }
  stream: 3
- server: { method: notifications/message, params: { level: info, data: sunny } }
  stream: 3
  sse: { id: d }
- server: { id: 1, result: { content: [] } }
  stream: 3
  sse: { id: e }
`,
);

interface Swept {
  results: { point: { name: string }; verdict: string; why?: string }[];
}

async function sweep(cassette: string, faults: string, manner: string) {
  const { command, args } = fixture('takes-a-status.js', manner, '{url}');
  const words = ['--http', '--json', '--faults', faults, ...PATIENT, cassette, '--', command, ...args];
  const { stdout, stderr, status } = await run(mcpRecord('sweep', ...words));
  const { results } = stdout.length > 0 ? (JSON.parse(stdout.toString()) as Swept) : { results: [] };
  return { results, verdicts: results.map(({ point, verdict }) => `${point.name} ${verdict}`), stderr, status };
}

afterEach(() => vi.unstubAllEnvs());

describe.each([
  ['as JSON', json],
  ['in event streams', sse],
])('a client whose server answers %s', (_, cassette) => {
  it.each([
    ['crashes', 'crashed', 'crashed', 1],
    ['reports', 'reported', 'reported', 0],
    ['retries', 'passed', 'reported', 0],
    ['goes-on', 'lied', 'lied', 1],
  ])('%s at a status, at a lost session, and where its server is down', async (manner, refused, down, status) => {
    const found = await sweep(cassette, 'http-status,session-lost,down', manner);
    // No status can take the place of message 2, which the server sends by itself. The first request is in no session.
    const points = [`http-status@1 ${refused}`, `http-status@3 ${refused}`, `session-lost@3 ${refused}`];
    expect(found.verdicts).toEqual([...points, `down@1 ${down}`]);
    expect(found.status).toBe(status);
  });
});

it('a client crashes at any status', async () => {
  const { verdicts } = await sweep(sse, 'http-status:status=404', 'crashes');
  expect(verdicts).toEqual(['http-status@1 crashed', 'http-status@3 crashed']);
});

it('a client is not judged by the refusal of a token that it does not have, or of a stream that it does not resume', async () => {
  const { results, status } = await sweep(json, 'token-refused,insufficient-scope,redeliver', 'reports');
  const token = 'the request had no access token';
  const stream = 'no client resumed a stream on which it had such a message';
  expect(results.map(({ point, verdict, why }) => [point.name, verdict, why])).toEqual(
    [
      ['token-refused@1', token],
      ['token-refused@3', token],
      ['insufficient-scope@3', `${token}, or one with this scope`],
      ['redeliver@1', stream],
      ['redeliver@2', stream],
      ['redeliver@3', stream],
    ].map(([point, why]) => [point, 'unreached', `the fault changed nothing: ${why}`]),
  );
  expect(status).toBe(1);
});

it.each([
  ['reports', 'reported'],
  ['goes-on', 'lied'],
])('a client %s that its token is refused', async (manner, verdict) => {
  vi.stubEnv('BEARER', 'key');
  const { verdicts } = await sweep(sse, 'token-refused,insufficient-scope', manner);
  const points = ['token-refused@1', 'token-refused@3', 'insufficient-scope@3'];
  expect(verdicts).toEqual(points.map((point) => `${point} ${verdict}`));
});

it('a message has the position that it has in the cassette, though the client is refused a stream before it', async () => {
  vi.stubEnv('LISTENS', '1');
  const { verdicts } = await sweep(json, 'drop', 'reports');
  expect(verdicts).toEqual(['drop@1 reported', 'drop@2 passed', 'drop@3 reported']);
});

it('a status and another fault happen in one run', async () => {
  const { command, args } = fixture('takes-a-status.js', 'retries', '{url}');
  const words = ['--http', '--json', '--point', 'http-status@1+drop@3', ...PATIENT, sse, '--', command, ...args];
  const { stdout } = await run(mcpRecord('sweep', ...words));
  const { results } = JSON.parse(stdout.toString()) as Swept;
  expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual(['http-status@1+drop@3 passed']);
});

it.each([
  ['fails', 'reported'],
  ['lies', 'lied'],
])('a client that starts a server which is not there, and %s', async (manner, verdict) => {
  const { command, args } = swept(manner, '{server}');
  const file = write(`${manner}.yaml`, WEATHER);
  const words = ['--json', '--faults', 'down', ...PATIENT, file, '--', command, ...args];
  const { stdout } = await run(mcpRecord('sweep', ...words));
  const { results } = JSON.parse(stdout.toString()) as Swept;
  expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual([`down@1 ${verdict}`]);
});

const WEATHER = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: ${answer}
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- server: { id: 1, result: { content: [] } }
`;

it.each([
  ['slow-close', [], /mcp-record replay --fault slow-close FILE/],
  ['ignore-cancel', [], /mcp-record replay --fault ignore-cancel FILE/],
  ['oauth-error', ['--http'], /mcp-record replay --http --auth --fault oauth-error FILE/],
  ['wrong-issuer', ['--http'], /mcp-record replay --http --auth --fault wrong-issuer FILE/],
])('a sweep says how to try %s, for which it has no place', async (fault, options, line) => {
  const { stderr, status } = await run(mcpRecord('sweep', ...options, '--faults', fault, json, '--', 'true'));
  expect([status, stderr]).toEqual([2, expect.stringMatching(line)]);
});
