import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type HttpOptions, mockServer, readMockFile, tool } from '../../../src/adapters/mock.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { ANSWER, ITEMS, MOCK_FILE, SERVER } from '../../../src/mock/file/mock-file-keys.ts';
import type { Peer } from '../../e2e/session/peer.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mappingOf, schemaText } from '../../support/field-schema.ts';
import { connectTo, WAYS } from '../clients.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = temporaryFolder();
const page = readFileSync(join(root, 'docs', 'mock-file.md'), 'utf8');
const EXAMPLE = /^## A complete file\n[\s\S]*?^```yaml\n([\s\S]*?)^```/m.exec(page)![1]!;

let files = 0;
function fileOf(text: string): string {
  const file = join(folder, `${files++}.mock.yaml`);
  writeFileSync(file, text);
  return file;
}

const START = 'format: mcp-record-mock/1\ntools:\n- name: forecast\n  answers:\n  - ';
const oneTool = (...answers: object[]) =>
  fileOf(JSON.stringify({ format: 'mcp-record-mock/1', tools: [{ name: 'forecast', answers }] }));
const ask = (peer: Peer, args: object = {}) =>
  peer.request('tools/call', { name: 'forecast', arguments: args }) as Promise<Record<string, unknown>>;
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });

/** The mock of a file, and a client of it in this process. */
async function open(file: string) {
  const server = await mockServer(readMockFile(file));
  return { server, client: await sdk1Over(server.transport) };
}

describe.each(WAYS)('the example of the page, over $over for $client', ({ client: name, over }) => {
  it('answers', async () => {
    const server = await mockServer({ ...readMockFile(fileOf(EXAMPLE)), over } as HttpOptions);
    const client = await connectTo(server, name);
    const { tools } = (await client.request('tools/list')) as { tools: object[] };
    expect(tools).toMatchObject([{ name: 'forecast', inputSchema: { required: ['city', 'days'] } }]);
    expect(await ask(client, { city: 'Oslo', days: 2 })).toMatchObject(text('Rain in Oslo.'));
    await expect(ask(client, { city: 'Bergen', days: 1 })).rejects.toMatchObject({ code: -32050 });
    expect(await ask(client, { city: 'Bergen' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("must have required property 'days'") }],
    });
    const { structuredContent } = await ask(client, { city: 'Rome', days: 3 });
    expect(structuredContent).toEqual({ city: 'Rome', days: 3, until: expect.stringMatching(/^20.*Z$/) });
    expect(await client.request('resources/read', { uri: 'file:///stations.txt' })).toMatchObject({
      contents: [{ uri: 'file:///stations.txt', mimeType: 'text/plain', text: 'Oslo, Bergen' }],
    });
    expect(await client.request('prompts/get', { name: 'ask', arguments: { city: 'Rome' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'What is the weather in Rome?' } }],
    });
    await client.close();
    expect((await server.finish()).failures).toMatchObject([
      { kind: 'invalid', text: expect.stringMatching(/"forecast" with .* \(.*yaml:\d+\) forbids: must have required/) },
    ]);
  });
});

describe('answers of a mock file', () => {
  it('that are limited are given so often, and again after a reset', async () => {
    const { server, client } = await open(
      oneTool({ error: { code: -32050, message: 'busy' }, times: 2 }, { returns: 'Rain.' }),
    );
    await expect(ask(client)).rejects.toThrow('busy');
    await expect(ask(client)).rejects.toThrow('busy');
    expect(await ask(client)).toEqual(text('Rain.'));
    await client.close();
    await server.reset();
    const other = await sdk1Over(server.transport);
    await expect(ask(other)).rejects.toThrow('busy');
    await other.close();
    await server.finish();
  });

  it('that are written first are given first, whether they are limited or not', async () => {
    const { server, client } = await open(
      oneTool({ when: { city: 'Oslo' }, returns: 'first' }, { returns: 'second', times: 1 }, { returns: 'third' }),
    );
    expect(await ask(client, { city: 'Oslo' })).toEqual(text('first'));
    expect(await ask(client, { city: 'Rome' })).toEqual(text('second'));
    expect(await ask(client, { city: 'Rome' })).toEqual(text('third'));
    await client.close();
    await server.finish();
  });

  it('do not fit: the test fails, and the message has them all with their lines', async () => {
    const file = fileOf(
      'format: mcp-record-mock/1\ntools:\n- name: forecast\n  answers:\n  - when: { city: Oslo }\n    returns: a\n  - returns: b\n    times: 1\n',
    );
    const { server, client } = await open(file);
    await ask(client);
    const miss = `No handler answers tools/call "forecast" with {"city":"Rome"}: that of ${file}:5 answers {"city":"Oslo"}, that of ${file}:7 has answered as often as it may.`;
    await expect(ask(client, { city: 'Rome' })).rejects.toThrow(miss);
    await client.close();
    expect(await server.finish()).toMatchObject({ failed: true, findings: [{ kind: 'miss', text: miss }] });
  });

  it('are several of one tool, which a miss names once', async () => {
    const { server, client } = await open(oneTool({ returns: 'a', times: 1 }, { returns: 'b' }));
    await client.request('tools/call', { name: 'weather' }).catch(() => {});
    await client.close();
    const [miss] = (await server.finish()).failures;
    expect(miss?.text).toBe('No handler answers tools/call "weather": there is "forecast".');
  });

  it('come after the handlers of the test', async () => {
    const { server, client } = await open(oneTool({ returns: 'Rain.' }));
    server.use(tool('forecast', () => 'Snow.', { once: true }));
    expect(await ask(client)).toEqual(text('Snow.'));
    expect(await ask(client)).toEqual(text('Rain.'));
    await client.close();
    await server.finish();
  });

  it('wait for their delay, after their progress, and know the time then', async () => {
    const clock = new ManualClock();
    const options = readMockFile(
      oneTool({
        returns: '{{now}}',
        delay: 1500,
        progress: [{ progress: 1, total: 2, message: '{{/params/arguments/city}}' }],
      }),
      { clock },
    );
    const server = await mockServer(options);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(server.transport);
    let answered: Promise<unknown> | undefined;
    const call = { name: 'forecast', arguments: { city: 'Oslo' } };
    const progressed = await new Promise<object>((onprogress) => {
      answered = client.callTool(call, undefined, { onprogress });
    });
    expect(progressed).toMatchObject({ progress: 1, total: 2, message: 'Oslo' });
    const started = clock.date().getTime();
    clock.advance(1500);
    expect(await answered).toEqual(text(new Date(started + 1500).toISOString()));
    await client.close();
    await server.finish();
  });

  it('whose template names nothing in the request fail the test with their line', async () => {
    const { server, client } = await open(oneTool({ returns: 'Rain in {{/params/arguments/city}}.' }));
    expect(await ask(client)).toMatchObject({ isError: true });
    await client.close();
    const { failed, findings } = await server.finish();
    expect(failed).toBe(true);
    expect(findings[0]!.text).toMatch(/mock\.yaml:1\) threw .*TEMPLATE_NAMES_NOTHING.*[^.]\.$/s);
  });
});

describe('a mock file', () => {
  const good = parse(EXAMPLE) as Record<string, unknown>;
  const forecast = (good.tools as Record<string, unknown>[])[0]!;
  const withAnswers = (...answers: object[]) => ({ tools: [{ ...forecast, answers }] });
  const withAnswer = (answer: object) => withAnswers(answer);

  it.each([
    ['no format', { format: undefined }, '"format" is missing'],
    ['another format', { format: 'mcp-record/1' }, '"format" is "mcp-record/1"'],
    ['a key that is nearly known', { tool: [] }, 'Did you mean "tools"?'],
    ['a server with a wrong key', { server: { nam: 'x' } }, 'Did you mean "name"?'],
    ['a tool without a name', { tools: [{ answers: [{ returns: 'a' }] }] }, '"name" is missing'],
    ['a tool without answers', { tools: [{ name: 'a', answers: [] }] }, 'it has no answers'],
    ['a tool twice', { tools: [forecast, forecast] }, '"forecast" is here twice'],
    ['a schema of no object', { tools: [{ ...forecast, inputSchema: { type: 'string' } }] }, 'type: object'],
    ['an expression of another flag', withAnswer({ when: { city: '/oslo/gi' }, returns: 'b' }), 'i, m and s'],
    ...[{}, { city: 'a' }, { city: 'a', days: 1 }].map((when): [string, object, string] => [
      `an answer that ${JSON.stringify(when)} hides`,
      withAnswers({ when, returns: 'a' }, { when: { days: 1, city: 'a' }, returns: 'c' }),
      'never given',
    ]),
    ['an answer that is none', withAnswer({ when: {} }), 'Write one of: returns, error.'],
    [
      'an answer that is never given',
      withAnswers({ returns: 'a' }, { when: { city: 'b' }, returns: 'c' }),
      'never given',
    ],
    ['two answers in one', withAnswer({ returns: 'a', error: { code: 1, message: 'b' } }), 'it has two answers'],
    ['an error without a code', withAnswer({ error: { message: 'b' } }), 'a JSON-RPC error has a code'],
    ['an argument that the tool lacks', withAnswer({ when: { ciyt: 'a' }, returns: 'b' }), 'Did you mean "city"?'],
    ['an echo of such an argument', withAnswer({ returns: '{{/params/arguments/ciyt}}' }), 'Did you mean "city"?'],
    ['a template of no meaning', withAnswer({ returns: '{{nwo}}' }), 'Did you mean {{now}}?'],
    [
      'an expression that backtracks',
      withAnswer({ when: { city: '/(a)\\1/' }, returns: 'b' }),
      'not a regular expression',
    ],
    ['a block of a type that is none', withAnswer({ returns: [{ type: 'txt', text: 'a' }] }), 'did you mean "text"?'],
    ['a misspelt member', withAnswer({ returns: { content: [], iserror: true } }), 'did you mean isError?'],
    ['a list of texts', withAnswer({ returns: ['a'] }), 'a list of content blocks'],
    [
      'what does not fit its schema',
      {
        tools: [{ ...forecast, outputSchema: { type: 'object', required: ['sum'] }, answers: [{ returns: { a: 1 } }] }],
      },
      "must have required property 'sum'",
    ],
    [
      'a message of nobody',
      { prompts: [{ name: 'a', answers: [{ returns: [{ role: 'x', content: { type: 'text', text: 'a' } }] }] }] },
      'has the role "x", which is neither',
    ],
    ['a negative delay', withAnswer({ returns: 'b', delay: -1 }), '"delay" is -1'],
    ['never', withAnswer({ returns: 'b', times: 0 }), '"times" is 0'],
    ['progress without a number', withAnswer({ returns: 'b', progress: [{ total: 1 }] }), 'progress has a number'],
    ['a notification without a method', withAnswer({ returns: 'b', notify: [{}] }), 'a notification has a method'],
    [
      'a misspelt notification',
      withAnswer({ returns: 'b', notify: [{ method: 'notifications/mesage' }] }),
      'Did you mean "notifications/message"?',
    ],
    [
      'a misspelt method',
      { requests: [{ method: 'completions/complete', answers: [{ returns: {} }] }] },
      'Did you mean "completion/complete"?',
    ],
    [
      'a template that names no param of a resource',
      { resources: [{ uri: 'a:b', answers: [{ returns: '{{/params/arguments/x}}' }] }] },
      'the params of resources/read have no member arguments',
    ],
    ['arguments of a resource', { resources: [{ uri: 'a:b', answers: [{ when: {}, returns: 'b' }] }] }, 'no arguments'],
    [
      'a method of a notification',
      { requests: [{ method: 'notifications/a', answers: [{ returns: {} }] }] },
      'a method of a request',
    ],
  ])('with %s is an error with its line', (_, change, message) => {
    const file = fileOf(JSON.stringify({ ...good, ...change }, undefined, 1));
    expect(() => readMockFile(file)).toThrow(message);
    expect(() => readMockFile(file)).toThrow(expect.objectContaining({ code: 'MOCK_FILE_BAD' }));
    expect(() => readMockFile(file)).toThrow(`at ${file}:`);
  });

  it('may have the same condition after one that is limited, or is another', () => {
    const answers = [
      { when: { city: 'a' }, returns: 'a', times: 1 },
      { when: { city: 'b' }, returns: 'b' },
      { when: { city: 'a' }, returns: 'c' },
      { when: { days: 1 }, returns: '/a/gi' },
      { returns: 'd' },
    ];
    expect(
      readMockFile(fileOf(JSON.stringify({ ...good, ...withAnswers(...answers) }))).handlers.length,
    ).toBeGreaterThan(4);
  });

  it('may have templates where their values decide', () => {
    const outputSchema = { type: 'object', properties: { days: { type: 'number' } } };
    const days = '{{/params/arguments/days}}';
    const open = { ...forecast, outputSchema, answers: [{ returns: { days } }] };
    const block = withAnswer({ returns: { content: [{ type: 'text', text: `${days} days` }], isError: days } });
    for (const change of [{ tools: [open] }, block])
      expect(readMockFile(fileOf(JSON.stringify({ ...good, ...change }))).handlers).not.toHaveLength(0);
  });

  it.each([
    ['is not there', () => join(folder, 'none.yaml')],
    ['is no YAML', () => fileOf('tools: [')],
    [
      'has a template without quotes in a mapping',
      () => fileOf(`${START}returns: { city: {{/params/a}} }\n`),
      'no quotes',
    ],
    [
      'has a template without quotes before a text',
      () => fileOf(`${START}returns: {{/params/a}} is it\n`),
      'into quotes',
    ],
    [
      'has a key twice',
      () => fileOf(`${START}returns: a\n    times: 1\n    returns: b\n`),
      'the key "returns" stands there twice',
    ],
    [
      'has a number that would be rounded',
      () => fileOf(`${START}returns: { id: 12345678901234567890 }\n`),
      'into quotes',
    ],
  ])('that %s cannot be read', (_, make, said = '') => {
    const error = { code: 'MOCK_FILE_UNREADABLE', message: expect.stringContaining(said) };
    expect(() => readMockFile(make())).toThrow(expect.objectContaining(error));
    if (said !== '') expect(() => readMockFile(make())).toThrow(/at .*\.yaml:\d+/);
  });

  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A mock of mcp-record',
    ...mappingOf(MOCK_FILE, {
      format: { const: 'mcp-record-mock/1' },
      server: mappingOf(SERVER),
      ...Object.fromEntries(
        Object.entries(ITEMS).map(([list, fields]) => {
          const answers = { minItems: 1, items: { $ref: '#/$defs/answer' } };
          return [list, { items: mappingOf(fields, { answers }) }];
        }),
      ),
    }),
    $defs: { answer: mappingOf(ANSWER) },
  };

  it('has a JSON Schema for editors, made from its fields', async () => {
    await expect(schemaText(schema)).toMatchFileSnapshot('../../../schema/mock-1.json');
  });

  it('that is good fits the schema, and one that is not does not', () => {
    const validate = new Ajv2020().compile(schema);
    expect([validate(good), validate.errors]).toEqual([true, null]);
    for (const change of [{ tool: [] }, { format: 'a' }, withAnswer({ retuns: 'a' }), withAnswer({ times: 0 })])
      expect(validate({ ...good, ...change })).toBe(false);
  });
});
