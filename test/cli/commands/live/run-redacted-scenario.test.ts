import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const folder = temporaryFolder();
writeFileSync(
  join(folder, 'login.yaml'),
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: app, version: '1' } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: crm, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: login, arguments: { customer: '[redacted:customer:1]' } } }
- server: { id: 1, result: { content: [{ type: text, text: 'Hello [redacted:customer:1]' }] } }
`,
);
writeFileSync(join(folder, 'rules.yaml'), 'redact:\n- pattern: CUST-\\d+\n  name: customer\n');

/** A client of the official SDK that logs in as `CUSTOMER`, or ends before that. */
writeFileSync(
  join(folder, 'client.mjs'),
  `import { Client } from '${import.meta.resolve('@modelcontextprotocol/sdk/client/index.js')}';
import { StdioClientTransport } from '${import.meta.resolve('@modelcontextprotocol/sdk/client/stdio.js')}';
const [, , command, ...args] = process.argv;
const client = new Client({ name: 'app', version: '1' });
await client.connect(new StdioClientTransport({ command, args }));
const customer = process.env.CUSTOMER;
if (customer) await client.callTool({ name: 'login', arguments: { customer } });
await client.close();
`,
);
const CLIENT = ['node', join(folder, 'client.mjs'), '{server}'];
const SERVER = ['node', join(folder, 'server.mjs')];
writeFileSync(
  join(folder, 'server.mjs'),
  `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'crm', version: '1' } };
  const known = params?.arguments?.customer === 'CUST-1234';
  if (method === 'tools/call' && !known) process.exitCode = 3, console.error('no customer \\x1b[31m' + process.env.API_TOKEN), process.exit();
  const result = method === 'initialize' ? opened : { content: [] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`,
);

interface Played {
  play: 'server' | 'client';
  expected: string;
  tested: readonly string[];
  options?: readonly string[];
  env?: Record<string, string>;
}

async function played({ play, expected, tested, options = [], env = {} }: Played) {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, `cassette: login.yaml\nplay: ${play}\ndeadline: 120000\nexpect:\n- ${expected}\n`);
  const ended = await run({ ...mcpRecord('run', ...options, file, '--', ...tested), env });
  return { status: ended.status, text: ended.stdout.toString(), stderr: ended.stderr };
}

const RULES = ['--redact-rules', join(folder, 'rules.yaml')];
const LOGGED_IN = '{ call: tools/call, ends: succeeds }';

describe('a client that sends what rules of its author redacted', () => {
  const login: Played = { play: 'server', expected: LOGGED_IN, tested: CLIENT, env: { CUSTOMER: 'CUST-1234' } };

  it('passes with these rules', async () => {
    const { status, text } = await played({ ...login, options: RULES });
    expect([status, text]).toEqual([0, expect.stringContaining('1 passed')]);
  });

  it('fails without them, and is advised to give them, or a rule beside the request, which helps', async () => {
    const { status, text } = await played(login);
    const match = "match: { ignore: ['/params/arguments/customer'] }";
    expect([status, text]).toEqual([1, expect.stringContaining('give the rules that redacted the value')]);
    expect(text).toContain(`write beside the recorded request: ${match}`);
    expect(text).not.toContain('If your shell exports');
  });

  it.each(['CUST-9999', 'someone else', 'x'])(
    'passes for a maintainer who sends %j and has no rules, with the option that is advised',
    async (customer) => {
      const [option = ''] =
        /--redact-key \w+/.exec((await played({ ...login, env: { CUSTOMER: customer } })).text) ?? [];
      const { status, text } = await played({ ...login, options: option.split(' '), env: { CUSTOMER: customer } });
      expect([option, status, text]).toEqual(['--redact-key customer', 0, expect.stringContaining('1 passed')]);
      for (const page of ['share-a-client-bug-errors.md', 'share-a-bug-secrets.md'])
        expect(readFileSync(join(import.meta.dirname, '../../../../docs', page), 'utf8')).toContain(
          'run scenario.yaml --redact-key ',
        );
    },
  );
});

describe('a client that makes no call', () => {
  const idle: Played = { play: 'server', expected: '{ exit: 0 }', tested: CLIENT };

  it('fails where nothing is expected of calls', async () => {
    const { status, text } = await played(idle);
    expect([status, text]).toEqual([1, expect.stringMatching(/never sent tools\/call "login" \(.*login\.yaml:6\)/)]);
  });

  it('passes where another call is expected', async () => {
    expect((await played({ ...idle, expected: '{ call: initialize, ends: succeeds }' })).status).toBe(0);
  });
});

describe('a played client that needs secrets', () => {
  const login: Played = { play: 'client', expected: LOGGED_IN, tested: SERVER };
  const given: Played = { ...login, options: [...RULES, '--secrets-from-env', 'customer'] };

  it('is not played without them', async () => {
    const { status, stderr } = await played(login);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/SECRETS_MISSING.*--secrets-from-env customer/s)]);
  });

  it('sends those of --secrets-from-env', async () => {
    expect((await played({ ...given, env: { customer: 'CUST-1234' } })).status).toBe(0);
  });

  it('fails with what the server says on standard error, without secrets and control characters', async () => {
    const env = { customer: 'CUST-9', API_TOKEN: 'correct-horse-77' };
    const { status, text } = await played({ ...given, env });
    expect(status).toBe(1);
    expect(text).toContain('standard error:\n    no customer \\u001b[31m[redacted:API_TOKEN:1]');
  });
});

it('a point takes no rules of redaction, and no secrets for a played server', async () => {
  const file = join(folder, 'point.yaml');
  writeFileSync(file, 'cassette: login.yaml\nplay: server\npoint: stall@1\nexpect:\n- verdict: good\n');
  for (const [option, value] of [
    ['--redact-key', 'a'],
    ['--secrets-from-env', 'A'],
    ['--keep', 'a.yaml'],
  ] as const) {
    const { status, stderr } = await run(mcpRecord('run', option, value, file, '--', ...CLIENT));
    expect([status, stderr]).toEqual([2, expect.stringMatching(`Cannot use ${option}.*USAGE_OPTION_WITHOUT_MEANING`)]);
  }
});
