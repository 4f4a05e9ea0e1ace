import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { type CassetteBuilder, cassette, type Handler, mockServer, resource, tool } from '../../src/adapters/mock.ts';
import { withMcp } from '../../src/adapters/testing.ts';
import { allowList } from '../../src/redact/rules/allow-list.ts';
import { inOtherRealm } from '../support/other-realm.ts';

const introduction = { name: 'test', version: '1.0.0' };

type Options = { handlers: Handler[] } | { cassette: CassetteBuilder; ignore: RegExp[] };
type Handle = () => unknown;

/** Runs a test with a client of a mock server, and returns the outcome. */
async function outcomeOf(options: Options, test: (client: Client) => Promise<unknown>) {
  const mock = await mockServer(options as { cassette: CassetteBuilder });
  const client = new Client(introduction);
  await client.connect(mock.transport as Transport);
  const value = await test(client);
  await client.close();
  return { value, ...(await mock.finish()) };
}

describe('of the realm of a test in Jest', () => {
  it.each([
    ['throws', "() => { throw new TypeError('The path is undefined') }", 'TypeError: The path is undefined'],
    ['rejects', "async () => { throw new TypeError('The path is undefined') }", 'TypeError: The path is undefined'],
    ['asserts', "() => { throw Object.assign(new Error('1 is not 2'), { matcherResult: {} }) }", 'Error: 1 is not 2'],
  ])('a mistake that a handler %s fails the test', async (_, expression, words) => {
    const { value, failures } = await outcomeOf(
      { handlers: [tool('bad', inOtherRealm<Handle>(expression))] },
      (client) => client.callTool({ name: 'bad' }),
    );
    expect(value).toMatchObject({ isError: true, content: [{ text: words.replace(/^\w+: /, '') }] });
    expect(failures).toMatchObject([{ kind: 'thrown', text: expect.stringContaining(`threw ${words}`) }]);
  });

  it('an intended error of a handler passes, with its code and data', async () => {
    const handlers = [
      tool(
        'busy',
        inOtherRealm<Handle>("() => { throw Object.assign(new Error('busy'), { code: -32050, data: { in: 5 } }) }"),
      ),
    ];
    const { value, failures } = await outcomeOf({ handlers }, (client) =>
      client.callTool({ name: 'busy' }).catch((error: unknown) => error),
    );
    expect([value, failures]).toMatchObject([{ code: -32050, data: { in: 5 } }, []]);
  });

  it('bytes and promises of handlers and schemas are taken', async () => {
    const schema = inOtherRealm<never>(
      "{ '~standard': { version: 1, vendor: 'odd', validate: async (value) => ({ value: { ...value, checked: true } }), jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) } } }",
    );
    const handlers = [
      resource('test://a', inOtherRealm('() => new Uint8Array([104, 105])')),
      tool('echo', inOtherRealm('async (args) => args'), { inputSchema: schema, outputSchema: schema }),
    ];
    const { value, failures } = await outcomeOf({ handlers }, async (client) => [
      await client.readResource({ uri: 'test://a' }),
      await client.callTool({ name: 'echo', arguments: { a: 1 } }),
    ]);
    expect(value).toMatchObject([{ contents: [{ blob: 'aGk=' }] }, { structuredContent: { a: 1, checked: true } }]);
    expect(failures).toEqual([]);
  });

  it('errors and regular expressions make a cassette', async () => {
    const tape = cassette()
      .calls('weather', { city: inOtherRealm('/^os/i') })
      .fails(inOtherRealm("new Error('no such city')"));
    const { value, failures } = await outcomeOf(
      { cassette: tape, ignore: [inOtherRealm('/\\d{4}-\\d\\d/')] },
      (client) => client.callTool({ name: 'weather', arguments: { city: 'Oslo' } }),
    );
    expect(value).toMatchObject({ isError: true, content: [{ text: 'no such city' }] });
    expect(failures).toEqual([]);
  });

  it('a regular expression allows values to stay', () => {
    expect(allowList([inOtherRealm('/^test-/')]).has('test-key')).toBe(true);
  });

  it('the error of a test also has the failures of its mock server', async () => {
    const owner = { file: import.meta.filename, names: ['realm'] };
    const failed = withMcp(owner, async (mcp) => {
      const handlers = [tool('add', () => '5')];
      const client = new Client(introduction);
      await client.connect((await mcp.server({ handlers })).transport as Transport);
      await client.callTool({ name: 'sub' }).catch(() => {});
      await client.close();
      throw inOtherRealm("new Error('2 is not 3')");
    });
    await expect(failed).rejects.toMatchObject({ message: expect.stringMatching(/^2 is not 3\n\n.*"sub"/s) });
  });
});
