import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { openSession, type SessionOptions } from '../../src/modes/open-session.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { fixture } from '../support/process.ts';
import { sdkTransport } from '../support/sdk-transport.ts';

const newFile = freeNames(temporaryFolder());
const server = fixture('gives-a-token.js');
const TOKEN = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
const PLACEHOLDER = '[redacted:github-token:1]';

type Call = (name: string, args?: Record<string, unknown>) => Promise<string>;
type Run = Omit<SessionOptions, 'cassette'> & { passed?: boolean };

/** A run of a test that calls tools; gives what it was told, and how it ended. */
async function run(
  cassette: string,
  task: (call: Call, client: Client) => Promise<string[]>,
  { passed = true, ...options }: Run = {},
) {
  const session = await openSession({ cassette, server, env: {}, ...options });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(sdkTransport(session.channel));
  const said = await task(async (name, args = {}) => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as [{ text: string }])[0].text;
  }, client);
  await client.close();
  return { said, ...(await session.finish({ passed })) };
}

const login = async (call: Call) => [await call('login')];
/** Gives back what the server gave it. */
const welcome = async (call: Call) => {
  const token = (await call('login')).replace('your token is ', '');
  return [token, await call('welcome', { token })];
};
const reveal = async (call: Call) => [await call('hint'), await call('reveal')];

describe('a test whose server says a secret', () => {
  it('hears while it records what it will hear on replay', async () => {
    const file = newFile();
    const first = await run(file, login);
    expect(first).toMatchObject({ mode: 'record', failed: false, written: file });
    expect(first.said).toEqual([`your token is ${PLACEHOLDER}`]);
    expect((await run(file, login)).said).toEqual(first.said);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
  });

  it('gives the placeholder back, and the server has the secret', async () => {
    const file = newFile();
    const first = await run(file, welcome);
    expect(first.said).toEqual([PLACEHOLDER, 'welcome']);
    const second = await run(file, welcome);
    expect(second).toMatchObject({ mode: 'replay', failed: false, said: first.said });
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
  });

  it('gives the placeholder of a number back, and the server has the number', async () => {
    const file = newFile();
    const redact = { rules: [{ key: 'customerNo' }] };
    let given: unknown;
    const orders: Parameters<typeof run>[1] = async (call, client) => {
      const { structuredContent } = await client.callTool({ name: 'account' });
      given = (structuredContent as { customerNo: unknown }).customerNo;
      return [await call('orders', { customerNo: given })];
    };
    const { said, notes } = await run(file, orders, { redact });
    expect({ said, given }).toEqual({ said: ['two orders'], given: '[redacted:customerNo:1]' });
    expect(notes).toContainEqual(
      expect.stringMatching(/has \[redacted:customerNo:1\] at .* It was a number: a client that/),
    );
    expect((await run(file, orders, { redact })).said).toEqual(said);
  });

  it('that fails is told what was redacted, which may be why', async () => {
    const file = newFile();
    const { notes, kept } = await run(file, login, { passed: false });
    expect(kept).toBeDefined();
    expect(notes).toEqual([
      expect.stringContaining('1 value is redacted'),
      expect.stringMatching(/has \[redacted:github-token:1\] at .* The client was given this placeholder/),
    ]);
  });

  it('is told what was redacted, where, and what to do', async () => {
    const file = newFile();
    const { notes, redacted = [] } = await run(file, welcome);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(redacted).toMatchObject([
      {
        placeholder: PLACEHOLDER,
        kind: 'github-token',
        from: 'server',
        where: 'response to tools/call "login"',
        pointer: '/result/content/0/text',
      },
      { from: 'client', where: 'tools/call "welcome"', pointer: '/params/arguments/token' },
    ]);
    expect(lines[redacted[0]!.line - 1]).toMatch(/^- server:/);
    expect(notes).toEqual([
      `${file} was recorded: 1 value is redacted, in 2 places (github-token).`,
      `${file}:${redacted[0]!.line} response to tools/call "login" has ${PLACEHOLDER} at /result/content/0/text. The client was given this placeholder, as it is on replay: assert on it or on something else, or keep the value with redact: { allow: ['…'] }.`,
    ]);
  });

  it('extends the cassette with the placeholders that it has for the same values', async () => {
    const file = newFile();
    const redact = { rules: [{ pattern: 'CUST-(\\d+)', name: 'customer' }] };
    const asking =
      (...customers: string[]) =>
      async (call: Call) => {
        for (const of of customers) await call('welcome', { of });
        return [];
      };
    await run(file, asking('CUST-1111'), { redact });
    const more = asking('CUST-1111', 'and CUST-1111', 'and CUST-2222');
    expect(await run(file, more, { redact, mode: 'new' })).toMatchObject({ failed: false, written: file });
    const customers = readFileSync(file, 'utf8').match(/ of: .*/g);
    expect(customers?.map((line) => line.replace(/.*redacted:|\].*/g, ''))).toEqual([
      'customer:1',
      'customer:1',
      'customer:3',
    ]);
    expect(await run(file, more, { redact })).toMatchObject({ mode: 'replay', failed: false });
    const asksTwice = asking('CUST-1111', 'and CUST-1111', 'and CUST-1111');
    const wrong = (call: Call) => asksTwice(call).catch(({ message }: Error) => [message]);
    const { said, failed } = await run(file, wrong, { redact });
    expect(failed).toBe(true);
    expect(said[0]).toContain('sends for [redacted:customer:3] the value that it sent for [redacted:customer:1].');
  });

  it('is told of what was known too late to be a secret: the client has seen it', async () => {
    const file = newFile();
    const { said, notes } = await run(file, reveal);
    expect(said[0]).toBe('think of zebra-92-lamp-Orbit');
    expect((await run(file, reveal)).said[0]).toBe('think of [redacted:password:1]');
    expect(notes.join('\n')).toMatch(
      /:\d+ response to tools\/call "hint" has \[redacted:password:1\] at \/result\/content\/0\/text\. The client was given the value itself: on replay it is the placeholder\./,
    );
  });

  it('is told that nothing was redacted', async () => {
    const file = newFile();
    const { notes, redacted } = await run(file, async (call) => [await call('welcome')]);
    expect({ notes, redacted }).toEqual({
      notes: [`${file} was recorded: nothing is redacted.`],
      redacted: [],
    });
  });

  it('hears everything where nothing is redacted, and is told so', async () => {
    const file = newFile();
    const { said, notes } = await run(file, login, { redact: false });
    expect(said).toEqual([`your token is ${TOKEN}`]);
    expect(notes).toEqual([`${file} was recorded: with redact: false, secrets are in it.`]);
  });

  it('hears the value that a rule keeps', async () => {
    const file = newFile();
    const options = { redact: { allow: [TOKEN] } };
    expect((await run(file, login, options)).said).toEqual([`your token is ${TOKEN}`]);
    expect((await run(file, login, options)).said).toEqual([`your token is ${TOKEN}`]);
  });

  it('hears the same of what is added to its cassette', async () => {
    const file = newFile();
    await run(file, async (call) => [await call('welcome')]);
    const task = async (call: Call) => [await call('welcome'), ...(await welcome(call))];
    const added = await run(file, task, { mode: 'new' });
    expect(added.said.slice(1)).toEqual([PLACEHOLDER, 'welcome']);
    expect(added.notes[1]).toContain('response to tools/call "login"');
    expect((await run(file, task)).said).toEqual(added.said);
  });

  it('says nothing on replay', async () => {
    const file = newFile();
    await run(file, login);
    const { notes, ...outcome } = await run(file, login);
    expect(notes).toEqual([]);
    expect(outcome).not.toHaveProperty('redacted');
  });
});
