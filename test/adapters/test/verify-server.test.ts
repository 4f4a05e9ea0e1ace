import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConnectServer } from '../../../src/adapters/in-process/in-process-server.ts';
import { serverTests } from '../../../src/adapters/test/interaction-tests.ts';
import { compareServer, type VerifyOptions, verifyServer } from '../../../src/adapters/test/verify-server.ts';
import type { McpRecordError } from '../../../src/kernel/errors.ts';
import { server as httpServer } from '../../e2e/http/processes.ts';
import { recordSession, server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
beforeAll(() => recordSession(cassette));

/** A server of the SDK that repeats what it is told, `louder` if asked. */
function echo(louder = false): Server {
  const made = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  made.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'say', inputSchema: { type: 'object' } }],
  }));
  made.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const words = String(params.arguments?.words);
    return { content: [{ type: 'text', text: louder ? words.toUpperCase() : words }] };
  });
  return made;
}

const TALK = `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: echo, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: say, arguments: { words: hello } } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [{ type: text, text: hello }] } }
`;

const talk = join(folder, 'talk.yaml');
writeFileSync(talk, TALK);

async function problemOf(verifying: Promise<unknown>): Promise<McpRecordError> {
  const thrown = await verifying.then(
    () => undefined,
    (error: McpRecordError) => error,
  );
  if (thrown === undefined) throw new Error('It passed.');
  return thrown;
}

describe('a test that is asked to update', () => {
  const worker = (globalThis as unknown as { __vitest_worker__: { config: { snapshotOptions: object } } })
    .__vitest_worker__;
  /** Runs a test as `vitest -u` does. */
  async function underVitestUpdate(run: () => Promise<unknown>): Promise<void> {
    const { config } = worker;
    worker.config = { ...config, snapshotOptions: { ...config.snapshotOptions, updateSnapshot: 'all' } };
    await run().finally(() => {
      worker.config = config;
    });
  }
  async function underMcpRecord(run: () => Promise<unknown>): Promise<void> {
    vi.stubEnv('MCP_RECORD', 'record');
    await run().finally(() => vi.unstubAllEnvs());
  }
  const start = (transport: Transport) => echo(true).connect(transport);
  const tested = (file: string) => verifyServer(file, start);
  const inTests = async (file: string) => {
    for (const test of serverTests(file, () => start)) await test.run();
  };

  it.each([
    ['vitest -u', underVitestUpdate, tested],
    ['MCP_RECORD=record', underMcpRecord, tested],
    ['vitest -u, with a test for each interaction', underVitestUpdate, inTests],
  ])('by %s takes the answers of the server over', async (_, asked, verify) => {
    const file = join(folder, `updated-${randomUUID()}.yaml`);
    writeFileSync(file, `# A comment.\n${TALK}`);
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await asked(() => verify(file));
    expect(said.mock.calls.flat()).toEqual([`mcp-record: ${file}: 1 event now holds what the server said.`]);
    said.mockRestore();
    expect(readFileSync(file, 'utf8')).toMatch(/^# A comment\..*arguments: \{ words: hello \}.*text: HELLO/s);
    await verify(file);
  });

  it('keeps the ids of the cassette, and leaves it alone where the server would not pass', async () => {
    const file = join(folder, 'orders.yaml');
    const tape = (beside: string) =>
      `${TALK.slice(0, TALK.indexOf('- client: { jsonrpc: "2.0", id: 1'))}${[
        '- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: order } }',
        `- server: { jsonrpc: "2.0", id: 1, result: { content: [{ type: text, text: Order ord_8f3a61c0 }] } }${beside}`,
        '- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: status, arguments: { order: ord_8f3a61c0 } } }',
        '- server: { jsonrpc: "2.0", id: 2, result: { content: [{ type: text, text: "ord_8f3a61c0: tea" }] } }',
      ].join('\n')}\n`;
    const shop = (transport: Transport) => {
      const made = echo();
      made.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: of } }) => {
        const text = name === 'order' ? `Order ord_${randomUUID().slice(0, 8)}` : `${of?.order}: coffee`;
        return { content: [{ type: 'text', text }] };
      });
      return made.connect(transport);
    };
    const verified = () => verifyServer(file, shop);
    writeFileSync(file, tape(''));
    await underVitestUpdate(async () => expect((await problemOf(verified())).message).not.toContain('vitest -u'));
    expect(readFileSync(file, 'utf8')).toBe(tape(''));

    writeFileSync(file, tape("\n  match: { ignore: ['/ord_\\w+/'] }"));
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await underVitestUpdate(verified);
    expect(said.mock.calls.flat()).toEqual([`mcp-record: ${file}: 1 event now holds what the server said.`]);
    said.mockRestore();
    expect(readFileSync(file, 'utf8')).toMatch(/text: Order ord_8f3a61c0 .*"ord_8f3a61c0: coffee"/s);
    await verified();
  });

  it('writes nothing where an answer is missing, or the variable asks for a replay', async () => {
    const file = join(folder, 'kept.yaml');
    const unanswered = `${TALK}- client: { jsonrpc: "2.0", id: 2, method: prompts/list }\n- server: { jsonrpc: "2.0", id: 2, result: { prompts: [] } }\n- server: { jsonrpc: "2.0", method: notifications/message, params: { level: info, data: x } }\n`;
    writeFileSync(file, unanswered);
    // The notification never comes.
    const verified = () => verifyServer(file, start, { patience: 200 });
    await underVitestUpdate(async () => expect((await problemOf(verified())).code).toBe('SESSION_DIFFERS'));
    vi.stubEnv('MCP_RECORD', 'replay');
    await underVitestUpdate(async () => expect((await problemOf(tested(talk))).code).toBe('SESSION_DIFFERS'));
    vi.unstubAllEnvs();
    expect([readFileSync(file, 'utf8'), readFileSync(talk, 'utf8')]).toEqual([unanswered, TALK]);
  });

  it('writes nothing without the rules that the cassette names', async () => {
    const file = join(folder, 'of-rules.yaml');
    const redacted = TALK.replace('events:', 'redactRules: [customer]\nevents:').replace(
      'arguments: { words: hello }',
      'arguments: { words: hello, of: "[redacted:customer:1]" }',
    );
    expect(redacted.match(/customer/g)).toHaveLength(2);
    writeFileSync(file, redacted);
    const updated = () => verifyServer(file, start, { secrets: { customer: 'CUST-1' } });
    await underVitestUpdate(async () => expect((await problemOf(updated())).code).toBe('USAGE_RULES_MISSING'));
    expect(readFileSync(file, 'utf8')).toBe(redacted);
  });

  it('finds the events of a session over HTTP for a server in the process', async () => {
    const file = join(folder, 'over-http.yaml');
    const http = TALK.replace('transport: stdio', 'transport: http').replace(
      '- client: { jsonrpc: "2.0", id: 1',
      '- open: GET\n  stream: 9\n- response: 405\n  stream: 9\n- client: { jsonrpc: "2.0", id: 1',
    );
    writeFileSync(file, http);
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await underVitestUpdate(() => tested(file)).finally(() => said.mockRestore());
    expect(readFileSync(file, 'utf8')).toContain('text: HELLO');
    expect(readFileSync(file, 'utf8')).toContain('open: GET');
  });
});

describe('a recorded client', () => {
  it('is content with the server that it was recorded with', async () => {
    const outcome = await verifyServer(cassette, server());
    expect(outcome.steps.map(({ status }) => status)).not.toContain('failed');
  });

  it('tells a test the severity of what differs, without an error', async () => {
    const list = [
      '- client: { jsonrpc: "2.0", id: 2, method: tools/list }',
      '- server: { jsonrpc: "2.0", id: 2, result: { tools: [{ name: say, description: Says., inputSchema: { type: object } }] } }',
    ];
    const listed = join(folder, 'listed.yaml');
    writeFileSync(listed, `${TALK}${list.join('\n')}\n`);
    const { steps } = await compareServer(listed, (transport) => echo(true).connect(transport));
    const failed = steps.filter(({ status }) => status === 'failed');
    expect(failed.map(({ title, changes = [] }) => [title, changes.map(({ severity }) => severity)])).toEqual([
      ['tools/call "say"', []],
      ['tools/list', ['cosmetic']],
    ]);
    const verifying = verifyServer(listed, (transport) => echo(true).connect(transport));
    expect((await problemOf(verifying)).code).toBe('SESSION_DIFFERS');
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const breaking = verifyServer(listed, (transport) => echo(true).connect(transport), { failOn: 'breaking' });
    const { message } = await problemOf(breaking);
    expect(message).toContain('tools/call "say"');
    expect(message).not.toContain('tools/list:');
    const { notes } = await verifyServer(listed, (transport) => echo().connect(transport), { failOn: 'breaking' });
    expect(warned.mock.calls.flat()).toEqual([
      expect.stringMatching(/^mcp-record: .*: failOn: 'breaking' does not fail tools\/list: cosmetic: /),
    ]);
    warned.mockRestore();
    expect(notes).toEqual([expect.stringMatching(/^failOn: 'breaking' does not fail tools\/list: cosmetic: /)]);
  });

  it.each([
    [
      'verifyServer',
      (options: VerifyOptions) => verifyServer(talk, (transport) => echo(true).connect(transport), options),
    ],
    [
      'serverTests',
      async (options: VerifyOptions) => {
        for (const test of serverTests(talk, () => (transport) => echo(true).connect(transport), options))
          await test.run();
      },
    ],
  ])('%s advises no command that cannot start a function', async (_name, verify) => {
    const error = await problemOf(verify({ ignore: ['/result/now', /v\d+/] }));
    expect(error.message).toContain('run this test with MCP_RECORD=record, or with vitest -u.');
    expect(error.message).not.toMatch(/mcp-record verify|COMMAND/);
  });

  it('advises a command that compares as the test does', async () => {
    const error = await problemOf(verifyServer(cassette, server('changed-text'), { ignore: ['/result/now', /v\d+/] }));
    expect(error.message).toContain(
      `npx mcp-record verify --update --ignore /result/now --ignore-pattern 'v\\d+' ${cassette} -- COMMAND`,
    );
  });

  it('says how to record a server that no command starts', async () => {
    const none = join(folder, 'none.yaml');
    const start = (transport: Transport) => echo().connect(transport);
    const { message } = await problemOf(verifyServer(none, start));
    expect(message).toContain('see "Record a server in this process" in docs/sdk-transports.md');
    expect(() => serverTests(none, () => start)).toThrow('docs/sdk-transports.md');
  });

  it('advises to propose what to ignore where only a date differs', async () => {
    const dated = join(folder, 'dated.yaml');
    const words = (text: string) => TALK.replaceAll('hello', `'Report of ${text}'`);
    const answered = words('2026-11-27').split("'Report of 2026-11-27'");
    writeFileSync(dated, `${answered[0]}'Report of 2026-11-27'${answered[1]}'Report of 2026-11-26'${answered[2]}`);
    const error = await problemOf(verifyServer(dated, (transport) => echo().connect(transport)));
    expect(error.message).toContain('The differences look like values that change in each run');
    expect(error.message).toContain('Name their form or their place in "ignore": see docs/test-server.md.');
    const louder = await problemOf(verifyServer(talk, (transport) => echo(true).connect(transport)));
    expect(louder.message).not.toContain('--propose-ignores');
  });

  it('tells what differs, so that a runner can draw it', async () => {
    const error = await problemOf(verifyServer(cassette, server('changed-text')));
    expect(error.message).toMatch(/\[SESSION_DIFFERS\]/);
    expect(JSON.stringify(error.expected)).toContain('Oslo has 20 degrees celsius');
    expect(JSON.stringify(error.actual)).toContain('Oslo: 20 celsius');
  });

  it('refuses a pointer that is none before anything is sent', async () => {
    let isStarted = false;
    const started = () => {
      isStarted = true;
    };
    await expect(verifyServer(talk, started, { ignore: ['result.content'] })).rejects.toThrow('USAGE_BAD_POINTER');
    await expect(verifyServer(talk, started, { ignore: [/(?=a)/] })).rejects.toThrow(/OPTION_BAD_VALUE/);
    await expect(verifyServer(talk, started, { ignore: [5] as never })).rejects.toThrow('regular expressions');
    expect(isStarted).toBe(false);
  });

  it('talks to a server in this process', async () => {
    await verifyServer(talk, (transport) => echo().connect(transport as never));
    const error = await problemOf(verifyServer(talk, (transport) => echo(true).connect(transport as never)));
    expect(error.actual).toMatchObject({ result: { content: [{ text: 'HELLO' }] } });
  });

  it('talks to a server over HTTP', async () => {
    await using live = await httpServer('sdk-1.js', 'json');
    const error = await problemOf(verifyServer(talk, { url: live.url.href }));
    expect(error.message).toContain('tools/call "say"');
  });

  it.each([
    ['a command that is none', { command: 'no-such-server' }, /\[COMMAND_NOT_FOUND\]/],
    ['nobody listening', { url: 'http://127.0.0.1:1/mcp' }, /127\.0\.0\.1:1/],
    ['a function that throws', () => Promise.reject(new Error('no database')), /no database.*\[SESSION_NO_SERVER\]/],
  ])('fails at once with %s', async (_, nobody, said) => {
    await expect(verifyServer(talk, nobody)).rejects.toThrow(said);
  });
});

describe('the tests of a server', () => {
  it('are one for each recorded request, and one for the rest', () => {
    expect(serverTests(talk, () => server()).map(({ title }) => title)).toEqual([
      'initialize (line 4)',
      'tools/call "say" (line 7)',
      'nothing else',
    ]);
  });

  it('fail where a server that cannot start, or dies, left them unsaid', async () => {
    const dies = ['-e', 'process.stdin.once("data", () => process.exit(3))'];
    for (const args of [['no-such-file.js'], dies]) {
      const tests = serverTests(talk, () => ({ command: process.execPath, args }));
      for (const { title, run } of tests.filter(({ title }) => /initialize|tools/.test(title)))
        await expect(run(), title).rejects.toMatchObject({ code: 'SESSION_DIFFERS' });
      const call = tests.find(({ title }) => title.startsWith('tools/call'))!;
      await expect(call.run()).rejects.toThrow(/the session had broken off[\s\S]*crashed/);
    }
  });

  it('start it once, for the first that runs', async () => {
    let starts = 0;
    const tests = serverTests(talk, () => {
      starts++;
      return (transport) => echo().connect(transport as never);
    });
    expect(starts).toBe(0);
    for (const { run } of tests) await run();
    expect(starts).toBe(1);
  });

  it('fail where their own part differs, and nowhere else', async () => {
    const tests = serverTests(talk, () => (transport) => echo(true).connect(transport as never));
    const ends = await Promise.allSettled(tests.map(({ run }) => run()));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fail with "nothing else" where the server sends a notification more, and not where it logs more', async () => {
    const method = 'notifications/tools/list_changed';
    const ends = async (sent: string, options: VerifyOptions = {}) => {
      const start = () => (transport: Parameters<Server['connect']>[0]) => {
        const made = echo();
        made.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
          await transport.send({ jsonrpc: '2.0', method: sent, params: { level: 'info', data: '' } });
          return { content: [{ type: 'text', text: String(params.arguments?.words) }] };
        });
        return made.connect(transport);
      };
      const tests = serverTests(talk, start as never, options);
      const settled = await Promise.allSettled(tests.map(({ run }) => run()));
      return settled.map((end) => (end.status === 'rejected' ? (end.reason as Error).message : ''));
    };
    expect(await ends(method)).toEqual([
      '',
      '',
      expect.stringContaining(`or let it pass: allowNotifications: ['${method}']`),
    ]);
    const passed = ['', '', ''];
    expect(await ends(method, { allowNotifications: [method] })).toEqual(passed);
    expect(await ends(method, { failOn: 'breaking' })).toEqual(passed);
    expect(await ends('notifications/message')).toEqual(passed);
    expect((await ends('notifications/message', { strict: true }))[2]).toContain('notifications/message');
  });
});

describe('a recorded client that sends a secret', () => {
  const told = join(folder, 'told.yaml');
  writeFileSync(told, TALK.replaceAll('hello', '"[redacted:ECHO_TOKEN:1]"'));
  const echoes = (transport: Parameters<Server['connect']>[0]) => echo().connect(transport);

  it('needs it: the server would be blamed for what a placeholder makes of its answer', async () => {
    const { message, problem } = await problemOf(verifyServer(told, echoes));
    expect(message).toContain('secrets: { ECHO_TOKEN: process.env.ECHO_TOKEN }');
    expect(problem.code).toBe('SECRETS_MISSING');
    const unset = await problemOf(verifyServer(told, echoes, { secrets: { ECHO_TOKEN: undefined } }));
    expect(unset.message).toContain('these have no value: ECHO_TOKEN');
    const empty = await problemOf(verifyServer(told, echoes, { secrets: { ECHO_TOKEN: '' } }));
    expect([empty.message, empty.problem.code]).toEqual([
      expect.stringContaining('ECHO_TOKEN is empty'),
      'SECRETS_MISSING',
    ]);
  });

  it.each(['k4Xw81tBnH6mQs90', 'test'])('sends it, and hears it again (%s)', async (token) => {
    const { steps } = await verifyServer(told, echoes, { secrets: { ECHO_TOKEN: token } });
    expect(steps.map(({ status }) => status)).not.toContain('failed');
  });

  it('is not shown where the server says another one', async () => {
    const other = (transport: Parameters<Server['connect']>[0]) => echo(true).connect(transport);
    const { problem, message } = await problemOf(
      verifyServer(told, other, { secrets: { ECHO_TOKEN: 'k4Xw81tBnH6mQs90' } }),
    );
    expect(problem.code).toBe('SESSION_DIFFERS');
    expect(message).not.toContain('k4Xw81tBnH6mQs90');
    expect(message).toContain('MCP_RECORD=record');
  });

  it('is an object of texts', async () => {
    const secrets = ['ECHO_TOKEN'] as unknown as VerifyOptions['secrets'];
    const { problem } = await problemOf(verifyServer(told, echoes, { ...(secrets && { secrets }) }));
    expect(problem.code).toBe('OPTION_BAD_VALUE');
  });
});

/** A server of the SDK that makes up an id for each order. `first` is that of the first one. */
function shop(first: string, { forgets = false, saysIdAlone = false, echoes = '' } = {}): Server {
  const made = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
  const orders = new Map<string, string>();
  made.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  made.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name === 'order') orders.set(first, String(params.arguments?.item));
    const item = forgets ? undefined : orders.get(String(params.arguments?.order));
    const placed = saysIdAlone ? first : `Order ${first} is placed.`;
    const answer = params.name === 'order' ? placed : `${echoes}It is ${item ?? 'unknown'}.`;
    return { content: [{ type: 'text', text: answer }] };
  });
  return made;
}

const ORDER = `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: shop, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: order, arguments: { item: tea } } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [{ type: text, text: "Order ord_8f3a is placed." }] } }
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: status, arguments: { order: ord_8f3a } } }
- server: { jsonrpc: "2.0", id: 2, result: { content: [{ type: text, text: It is tea. }] } }
`;

describe('an id that the server makes up in each session', () => {
  const order = join(folder, 'order.yaml');
  writeFileSync(order, ORDER);
  const ignore = [/ord_\w+/];

  it('is sent in later calls as this server returned it, and a note says so', async () => {
    const outcome = await verifyServer(order, (transport) => shop('ord_0bcd').connect(transport), { ignore });
    expect(outcome.notes).toEqual([
      'tools/call "order" (line 7) returned "ord_0bcd" in place of "ord_8f3a": sent so at /params/arguments/order of tools/call "status" (line 9).',
    ]);
  });

  it('is a difference of the answer that returns it, until it is ignored, and no other', async () => {
    const { message } = await problemOf(verifyServer(order, (transport) => shop('ord_0bcd').connect(transport)));
    expect(message).toContain('tools/call "order"');
    expect(message).not.toContain('It is unknown.');
  });

  it('that the server forgets fails the later call', async () => {
    const { message } = await problemOf(
      verifyServer(order, (transport) => shop('ord_0bcd', { forgets: true }).connect(transport), { ignore }),
    );
    expect(message).toContain('It is unknown.');
  });

  it('that is too short to be found is named by the option handles', async () => {
    const short = join(folder, 'short.yaml');
    const args = 'arguments: { order: ord_8f3a }';
    writeFileSync(short, ORDER.replace('Order ord_8f3a is placed.', '7').replace(args, 'arguments: { order: "7" }'));
    const answersId: ConnectServer = (transport) => shop('9', { saysIdAlone: true }).connect(transport);
    const { message } = await problemOf(verifyServer(short, answersId));
    expect(message).toContain('It is unknown.');
    const handles = [{ capture: '/result/content/0/text', use: '/params/arguments/order' }];
    const outcome = await verifyServer(short, answersId, { handles });
    expect(outcome.steps.map(({ status }) => status)).not.toContain('failed');
  });

  it.each([
    ['passes where a later answer repeats it, with no rule for that answer', 'ord_0bcd: ', false],
    ['fails where a later answer has another in its place', 'ord_9999: ', true],
  ])('%s', async (_, echoes, fails) => {
    const echoed = join(folder, 'echoed.yaml');
    const rule = "  match: { ignore: ['/ord_\\w+/'] }\n";
    writeFileSync(
      echoed,
      ORDER.replace('is placed." }] } }\n', (line) => line + rule)
        .replace('It is tea', '"ord_8f3a: It is tea')
        .replace('tea. }', 'tea." }'),
    );
    const verifying = verifyServer(echoed, (transport) => shop('ord_0bcd', { echoes }).connect(transport));
    if (fails) expect((await problemOf(verifying)).message).toContain(echoes);
    else await verifying;
  });

  it('that stays the same is not noted', async () => {
    const outcome = await verifyServer(order, (transport) => shop('ord_8f3a').connect(transport));
    expect(outcome.notes).toEqual([]);
  });
});
