import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { openSession, type Session, type SessionOptions } from '../../src/modes/open-session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { fixture } from '../support/process.ts';
import { sdkTransport } from '../support/sdk-transport.ts';

const folder = temporaryFolder();
let files = 0;
const newFile = () => join(folder, `session-${files++}`, 'cassette.yaml');
const beside = (file: string) => (existsSync(dirname(file)) ? readdirSync(dirname(file)).sort() : []);

const server = fixture('drifts.js');
/** Its description of the weather is another one. */
const changed = fixture('drifts.js', 'changed-text');
const never = { command: 'no-such-server' };
const AT_HOME = {};

/** A client that repeats what it is asked; the first questions only when `together` of them are there. */
async function connect(session: Session, together = 1): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {} } });
  let [asked, allAsked] = [0, () => {}];
  const all = new Promise<void>((resolve) => {
    allAsked = resolve;
  });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    if (++asked === together) allAsked();
    await all;
    return {
      model: 'none',
      role: 'assistant',
      content: params.messages[0]!.content as { type: 'text'; text: string },
    };
  });
  await client.connect(sdkTransport(session.channel));
  return client;
}

interface Run extends Omit<SessionOptions, 'cassette'> {
  passed?: boolean;
}

const weather = (city: string) => ({ name: 'weather', arguments: { city } });
const textOf = (answer: unknown) => (answer as { content: [{ text: string }] }).content[0].text;

/** A run of a test that asks for the weather in some cities. */
async function run(cassette: string, cities: string[], { passed = true, ...options }: Run = {}) {
  const session = await openSession({ cassette, server, env: AT_HOME, ...options });
  const client = await connect(session);
  const answers = [];
  for (const city of cities) answers.push(client.callTool(weather(city)).then(textOf, (error) => error));
  const said = await Promise.all(answers);
  await client.close();
  return { said, ...(await session.finish({ passed })), session };
}

describe('auto', () => {
  it('records first, and from then on needs no server', async () => {
    const file = newFile();
    const first = await run(file, ['Oslo', 'Rome']);
    expect(first).toMatchObject({ mode: 'record', failed: false, written: file });
    const tape = readFileSync(file);
    const second = await run(file, ['Oslo', 'Rome'], { server: never });
    expect(second).toMatchObject({ mode: 'replay', failed: false, said: first.said });
    expect(second).not.toHaveProperty('written');
    expect(readFileSync(file).equals(tape)).toBe(true);
    expect(beside(file)).toEqual(['cassette.yaml']);
  });

  it('records nothing under CI, and says what to do', async () => {
    const file = newFile();
    const opened = openSession({ cassette: file, server, env: { CI: 'true' } });
    await expect(opened).rejects.toThrow(/\[CASSETTE_MISSING\]/);
    expect(beside(file)).toEqual([]);
  });

  it('records again what is too old, and keeps the new one', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const old = readFileSync(file, 'utf8').replace(/recorded: .*/, "recorded: '2020-01-01T00:00:00Z'");
    writeFileSync(file, old);
    const { mode, said, session } = await run(file, ['Oslo'], { server: changed, expires: 86_400_000 });
    expect([mode, said]).toEqual(['record', ['Oslo: 20 celsius']]);
    expect(session.warnings.join()).toMatch(/cassette\.yaml: it was recorded [\d,]+ days ago: recording it anew\./);
    expect((await run(file, ['Oslo'], { server: never })).said).toEqual(said);
  });
});

describe('replay', () => {
  it('fails on what the cassette does not have, or reports it, as asked', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const strict = await run(file, ['Oslo', 'Bonn'], { mode: 'replay' });
    expect(strict.failed).toBe(true);
    expect(strict.findings.map(({ kind }) => kind)).toEqual(['miss']);
    expect(strict.said[1]).toMatchObject({ code: -32603 });
    expect((await run(file, ['Oslo', 'Bonn'], { onMiss: 'report' })).failed).toBe(false);
  });

  it('reports what nobody asked for, or fails on it, as asked', async () => {
    const file = newFile();
    await run(file, ['Oslo', 'Rome']);
    const lenient = await run(file, ['Oslo']);
    expect([lenient.failed, lenient.findings.map(({ kind }) => kind)]).toEqual([false, ['unused']]);
    expect((await run(file, ['Oslo'], { onUnused: 'fail' })).failed).toBe(true);
  });

  it('knows what the client has asked', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const { session } = await run(file, ['Oslo']);
    expect(session.received().map(({ method }) => method)).toEqual(['initialize', 'tools/call']);
    expect(session.received('tools/call')[0]!.params).toMatchObject(weather('Oslo'));
  });

  it('serves two sessions of one cassette at once, each from its beginning', async () => {
    const file = newFile();
    await run(file, ['Oslo', 'Rome']);
    const both = await Promise.all([run(file, ['Rome', 'Oslo']), run(file, ['Oslo', 'Rome'])]);
    expect(both.map(({ failed, findings }) => [failed, findings])).toEqual([
      [false, []],
      [false, []],
    ]);
    expect(both[0].said).toEqual(both[1].said.toReversed());
  });
});

describe('record', () => {
  it('replaces the cassette when the run has passed', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    expect(await run(file, ['Oslo'], { mode: 'record', server: changed })).toMatchObject({ written: file });
    expect((await run(file, ['Oslo'])).said).toEqual(['Oslo: 20 celsius']);
    expect(beside(file)).toEqual(['cassette.yaml']);
  });

  it('leaves the cassette of a run that did not pass as it was, and the recording beside it', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const tape = readFileSync(file);
    const kept = file.replace('cassette.', 'cassette.recording.');
    const again = { mode: 'record', server: changed, passed: false } as const;
    expect(await run(file, ['Oslo'], again)).toMatchObject({ kept });
    expect(readFileSync(file).equals(tape)).toBe(true);
    expect(loadCassette(kept).end).toBe('complete');
  });

  it('counts a session that went out of scope unfinished as one that did not pass', async () => {
    const file = newFile();
    {
      await using session = await openSession({ cassette: file, server, env: AT_HOME });
      await connect(session);
    }
    expect(beside(file)).toEqual(['cassette.recording.yaml']);
  });

  it('leaves nothing behind of a server that cannot be started', async () => {
    const file = newFile();
    const opened = openSession({ cassette: file, server: never, env: AT_HOME });
    await expect(opened).rejects.toThrow(`it is started to record ${file}, which does not exist). [COMMAND_NOT_FOUND]`);
    expect(beside(file)).toEqual([]);
  });

  it('leaves nothing behind of a server that ends without a word, and says what it said on standard error', async () => {
    const file = newFile();
    const broken = {
      command: process.execPath,
      args: ['-e', 'throw new Error("no database, password=correct-horse-9")'],
    };
    const session = await openSession({ cassette: file, server: broken, env: AT_HOME });
    await expect(connect(session)).rejects.toThrow(/Connection closed/);
    const { findings, ...outcome } = await session.finish({ passed: false });
    expect(outcome).not.toHaveProperty('kept');
    expect(findings[0]!.text).toMatch(
      /never said a message.*ended with 1\..*no database, password=\[redacted:password:1\]/s,
    );
    expect(findings[0]!.text).not.toContain('correct-horse');
    expect(beside(file)).toEqual([]);
  });

  it('of two sessions at once gives one whole cassette', async () => {
    const file = newFile();
    const both = await Promise.all([run(file, ['Oslo']), run(file, ['Oslo'])]);
    expect(both.map(({ written }) => written)).toEqual([file, file]);
    expect(beside(file)).toEqual(['cassette.yaml']);
    expect((await run(file, ['Oslo'], { server: never })).failed).toBe(false);
  });

  it('needs to know how the server is started', async () => {
    const opened = openSession({ cassette: newFile(), env: AT_HOME });
    await expect(opened).rejects.toThrow(/\[MODE_NEEDS_SERVER\]/);
  });
});

describe('new', () => {
  it('asks the live server what the cassette does not have, and adds that to it', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('events:', '# edited\nevents:'));
    const lines = readFileSync(file, 'utf8').split('\n');
    const more = await run(file, ['Oslo', 'Bonn'], { mode: 'new', server: changed });
    expect(more.said).toEqual(['Oslo has 20 degrees celsius', 'Bonn: 20 celsius']);
    expect(more).toMatchObject({ failed: false, findings: [], written: file });
    const now = readFileSync(file, 'utf8').split('\n');
    expect(lines.filter((line) => !now.includes(line))).toEqual([]);
    const third = await run(file, ['Bonn', 'Oslo'], { server: never, onUnused: 'fail' });
    expect(third).toMatchObject({ failed: false, said: more.said.toReversed() });
    expect(beside(file)).toEqual(['cassette.yaml']);
  });

  it('starts no server where the cassette has everything', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    expect(await run(file, ['Oslo'], { mode: 'new', server: never })).toMatchObject({ failed: false });
  });

  it('keeps apart what both servers ask at once under one id, and records the new', async () => {
    const file = newFile();
    const ask = async (times: number, options: Partial<SessionOptions>) => {
      const session = await openSession({ cassette: file, env: AT_HOME, ...options });
      const client = await connect(session, times);
      const calls = Array.from({ length: times }, () => client.callTool({ name: 'ask', arguments: {} }));
      const said = (await Promise.all(calls)).map(textOf);
      await client.close();
      return { said, ...(await session.finish({ passed: true })) };
    };
    await ask(1, { server });
    const both = { said: ['How are you?', 'How do you do?'], failed: false, findings: [] };
    expect(await ask(2, { mode: 'new', server: fixture('drifts.js', 'asks-other') })).toMatchObject(both);
    expect(await ask(2, { mode: 'replay' })).toMatchObject(both);
  });

  it('adds to the cassette though the client says what it did not say before, which is reported', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const more = await openSession({ cassette: file, env: AT_HOME, mode: 'new', server: changed });
    const client = await connect(more);
    await client.notification({
      method: 'notifications/progress',
      params: { progressToken: 'x', progress: 1 },
    });
    expect(textOf(await client.callTool(weather('Bonn')))).toBe('Bonn: 20 celsius');
    await client.close();
    const outcome = await more.finish({ passed: true });
    expect(outcome).toMatchObject({ failed: false, written: file });
    expect(outcome.findings.map(({ kind }) => kind)).toContain('unrecorded');
  });

  it('lets the live server ask the client', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const asks = fixture('drifts.js');
    const more = await openSession({ cassette: file, env: AT_HOME, mode: 'new', server: asks });
    const client = await connect(more);
    expect(textOf(await client.callTool({ name: 'ask', arguments: {} }))).toBe('How are you?');
    await client.close();
    expect(await more.finish({ passed: true })).toMatchObject({ written: file });
  });

  it('adds nothing where the run did not pass', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const tape = readFileSync(file);
    const { kept } = await run(file, ['Bonn'], { mode: 'new', passed: false });
    expect(readFileSync(file).equals(tape)).toBe(true);
    expect(loadCassette(kept!).end).toBe('complete');
  });

  it('answers and fails where the live server cannot be started', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const tape = readFileSync(file);
    const { said, failed, findings } = await run(file, ['Bonn'], { mode: 'new', server: never });
    expect(said[0]).toMatchObject({ message: expect.stringContaining('COMMAND_NOT_FOUND') });
    expect([failed, findings[0]!.kind]).toEqual([true, 'miss']);
    expect(readFileSync(file).equals(tape)).toBe(true);
  });

  it('of two sessions at once keeps the additions of both', async () => {
    const file = newFile();
    await run(file, ['Oslo']);
    const more = { mode: 'new' } as const;
    await Promise.all([run(file, ['Bonn'], more), run(file, ['Kyiv'], more)]);
    expect((await run(file, ['Oslo', 'Kyiv', 'Bonn'], { onUnused: 'fail', server: never })).failed).toBe(false);
  });
});

it('passthrough talks to the live server and leaves no trace', async () => {
  const file = newFile();
  const { said, mode } = await run(file, ['Oslo'], { mode: 'passthrough' });
  expect([mode, said]).toEqual(['passthrough', ['Oslo has 20 degrees celsius']]);
  expect(beside(file)).toEqual([]);
});

it.each(['auto', 'replay', 'new'] as const)('%s never takes a damaged cassette for a missing one', async (mode) => {
  const file = newFile();
  await run(file, ['Oslo']);
  const damaged = readFileSync(file, 'utf8').replace(/- server:.*?\n- /s, '- server: {{\n- ');
  writeFileSync(file, damaged);
  await expect(openSession({ cassette: file, server, mode, env: AT_HOME })).rejects.toThrow(/cassette\.yaml:\d+/);
  expect(readFileSync(file, 'utf8')).toBe(damaged);
});

it('keeps no secret of a session, and replays it to whoever has another', async () => {
  const file = newFile();
  const ask = async (token: string, mode?: SessionOptions['mode']) => {
    const session = await openSession({ cassette: file, server, env: AT_HOME, ...(mode && { mode }) });
    const client = await connect(session);
    await client.callTool({ name: 'weather', arguments: { city: 'Oslo', token } });
    await client.close();
    return await session.finish({ passed: true });
  };
  expect(await ask('q7Zk29xLmP0vRt41')).toMatchObject({ written: file });
  expect(readFileSync(file, 'utf8')).not.toContain('q7Zk29xLmP0vRt41');
  expect(await ask('Hd83jfuXw20PqLm5')).toMatchObject({ mode: 'replay', failed: false, findings: [] });
});

it('redacts by rules of its own, and replays to whoever has another value', async () => {
  const file = newFile();
  const redact = { rules: [{ test: (text: string) => text.endsWith('@corp.example'), name: 'email' }] };
  const ask = async (city: string) => {
    const session = await openSession({ cassette: file, server, env: AT_HOME, redact });
    const client = await connect(session);
    await client.callTool({ name: 'weather', arguments: { city } });
    await client.close();
    return await session.finish({ passed: true });
  };
  expect(await ask('ann@corp.example')).toMatchObject({ written: file });
  expect(readFileSync(file, 'utf8')).toContain('city: "[redacted:email:1]"');
  expect(await ask('bob@corp.example')).toMatchObject({ mode: 'replay', failed: false, findings: [] });
});
