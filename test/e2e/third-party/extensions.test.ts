import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, mcpRecord, recorded, replayed } from '../../support/command.ts';
import { type Ended, run } from '../../support/process.ts';
import { record, replay, serve } from '../http/processes.ts';
import { connectClient2 } from '../session/client-2.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { pollsOf } from './events-client.ts';
import { type Installed, install } from './installed.ts';
import { seenBySkillsClient } from './skills-client.ts';

const server = (name: string, ...args: string[]): Command => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'servers', name), ...args],
});
const skills = server('skills.js');
const events = server('events.js');

/** Webhook secrets of the form that the extension demands. They stand for those that the recorder took out. */
const secrets = {
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  secret_2: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
};

/** A cassette as people write one: its mock server has to say which capabilities it has. */
const WITHOUT_OPENING = `
format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: events/list }
- server:
    jsonrpc: "2.0"
    id: 1
    result: { events: [{ name: incident.created, delivery: [webhook], inputSchema: {}, payloadSchema: {} }] }
`.trimStart();

/** Packages with a client that might have methods of Events. */
const CLIENTS = [
  '@ai-sdk/mcp',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/inspector',
  '@modelcontextprotocol/sdk',
  'mcp-remote',
];

/** The scripts of a package, without those of its dependencies. */
const scriptsOf = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?js$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(place, file))
    .filter((file) => statSync(file).isFile());

let folder: string;

/** Two plays of a cassette, one after the other, as a client sees them. */
async function playedTwice<T>(play: () => Promise<T>): Promise<[T, T]> {
  return [await play(), await play()];
}

/** What a client sees of the mock server of a cassette over HTTP, which must have an answer for everything. */
async function seenOfMock<T>(cassette: string, sees: (url: URL) => Promise<T>): Promise<T> {
  await using mock = await replay(cassette);
  const seen = await sees(mock.url);
  expect(mock.said.filter((line) => line.includes('Cannot answer'))).toEqual([]);
  return seen;
}

/** What a client sees of a server over HTTP, through a recorder. */
async function seenOfRecorder<T>(far: URL, cassette: string, sees: (url: URL) => Promise<T>): Promise<T> {
  await using recorder = await record(far, cassette);
  const seen = await sees(recorder.url);
  await recorder.stop();
  return seen;
}

const verified = (cassette: string, ...to: string[]): Promise<Ended> => run(mcpRecord('verify', cassette, ...to));

function expectPassed({ stdout, stderr, status }: Ended): void {
  expect(stdout.toString(), stderr).toMatch(/\n\d+ passed in /);
  expect(status).toBe(0);
}

async function expectClean(cassette: string): Promise<void> {
  const { stdout } = await run(mcpRecord('lint', cassette));
  expect(stdout.toString()).toBe('0 errors, 0 warnings\n');
}

describe.runIf(process.env.THIRD_PARTY)('an extension between peers of other people', () => {
  let installed: Installed;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-record-extensions-')));
    installed = await install(folder);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }), 60_000);

  describe.each(['legacy', 'auto'] as const)('Skills of the official SDK on both sides, %s', (mode) => {
    it('are the same on stdio: directly, recorded, and in two plays', async () => {
      const cassette = join(folder, `skills-${mode}.yaml`);
      const direct = await seenBySkillsClient(skills, mode);
      expect(await seenBySkillsClient(recorded(cassette, skills), mode)).toEqual(direct);
      expect(await playedTwice(() => seenBySkillsClient(replayed(cassette), mode))).toEqual([direct, direct]);
      expectPassed(await verified(cassette, '--', skills.command, ...skills.args));
      await expectClean(cassette);
    });

    it('are the same over HTTP: directly, recorded, and in two plays', async () => {
      const cassette = join(folder, `skills-http-${mode}.yaml`);
      const sees = (url: URL) => seenBySkillsClient(url, mode);
      await using far = await serve(skills, '/mcp');
      const direct = await sees(far.url);
      expect(await seenOfRecorder(far.url, cassette, sees)).toEqual(direct);
      expect(await playedTwice(() => seenOfMock(cassette, sees))).toEqual([direct, direct]);
      expectPassed(await verified(cassette, '--http', far.url.href));
      await expectClean(cassette);
    });
  });

  it.each(['legacy', 'modern'])('the Inspector sees and verifies the same skills of the SDK, era %s', async (era) => {
    const cassettes = join(folder, `inspector-${era}`);
    mkdirSync(cassettes);
    const sees = async ({ href }: URL) => {
      const ask = (method: string, ...args: string[]) => {
        const where = ['--cli', href, '--transport', 'http', '--protocol-era', era];
        return installed.told('mcp-inspector', ...where, '--method', method, ...args);
      };
      return [
        await ask('skills/list'),
        await ask('skills/get', '--uri', 'skill://review/SKILL.md'),
        await ask('resources/directory/read', '--uri', 'skill://review'),
        await ask('skills/list', '--verify'),
      ];
    };
    await using far = await serve(skills, '/mcp');
    const direct = await sees(far.url);
    expect(direct[3]).toContain('"outcome":"verified"');
    expect(await seenOfRecorder(far.url, `${cassettes}/`, sees)).toEqual(direct);
    expect(await playedTwice(() => seenOfMock(`${cassettes}/`, sees))).toEqual([direct, direct]);
    const files = readdirSync(cassettes);
    expect(files).not.toEqual([]);
    for (const file of files) expectPassed(await verified(join(cassettes, file), '--http', far.url.href));
  });

  it('no client knows events/stream, and one knows events/subscribe', () => {
    const known = (method: string) => {
      const folders = [join(folder, 'node_modules'), join(import.meta.dirname, '..', '..', '..', 'node_modules')];
      const packages = folders.flatMap((one) => CLIENTS.map((name) => join(one, name))).filter(existsSync);
      return packages.filter((one) => scriptsOf(one).some((file) => readFileSync(file, 'utf8').includes(method)));
    };
    expect(known('events/stream')).toEqual([]);
    expect(known('events/subscribe')).toEqual([join(folder, 'node_modules', '@ai-sdk/mcp')]);
  });

  it('the Inspector has no method of Events', async () => {
    const [command, ...args] = [events.command, ...events.args];
    const asked = installed.program('mcp-inspector', '--cli', command!, ...args, '--method', 'events/list');
    expect((await run(asked)).stderr).toContain('Unsupported method: events/list');
  });

  /** Without what a server makes up for each subscription. */
  const withoutMadeUp = (text: string) =>
    text.replaceAll(/"refreshBefore":"[^"]+"|sub_[\da-f]{16}|[\da-f-]{36}:/g, '<made up>');
  const needed = ['--secrets-from-env', 'secret,secret_2'];

  it.each(['sketch', 'both'])(
    '@ai-sdk/mcp subscribes webhooks on stdio, of a server that declares %s',
    async (declares) => {
      const cassette = join(folder, `webhooks-${declares}.yaml`);
      const far = server('events.js', declares);
      const sees = ({ command, args }: Command) => installed.told('ai-sdk-events', command, ...args);
      const direct = await sees(far);
      expect(direct).toContain('InvalidParams: service is a string');
      const seen = await sees(recorded(cassette, far));
      expect(withoutMadeUp(seen)).toBe(withoutMadeUp(direct));
      expect(await playedTwice(() => sees(replayed(cassette)))).toEqual([seen, seen]);
      const verify = mcpRecord('verify', ...needed, cassette, '--', far.command, ...far.args);
      expectPassed(await run({ ...verify, env: secrets }));
      await expectClean(cassette);
    },
  );

  it('@ai-sdk/mcp subscribes webhooks over HTTP', async () => {
    const cassette = join(folder, 'webhooks-http.yaml');
    const sees = ({ href }: URL) => installed.told('ai-sdk-events', href);
    await using far = await serve(events, '/mcp');
    const direct = await sees(far.url);
    const seen = await seenOfRecorder(far.url, cassette, sees);
    expect(withoutMadeUp(seen)).toBe(withoutMadeUp(direct));
    expect(await playedTwice(() => seenOfMock(cassette, sees))).toEqual([seen, seen]);
    expectPassed(await run({ ...mcpRecord('verify', ...needed, '--http', far.url.href, cassette), env: secrets }));
    await expectClean(cassette);
  });

  it('@ai-sdk/mcp lists the events of a cassette without an opening', async () => {
    const cassette = join(folder, 'without-opening.yaml');
    writeFileSync(cassette, WITHOUT_OPENING);
    const { command, args } = replayed(cassette);
    expect(await installed.told('ai-sdk-events', '--list', command, ...args)).toContain('"name":"incident.created"');
  });

  it('@ai-sdk/mcp takes no server for one of Events that declares the extension alone', async () => {
    const { command, args } = server('events.js', 'extension');
    const { stderr } = await run(installed.program('ai-sdk-events', command, ...args));
    expect(stderr).toContain('Server does not support events');
  });

  it.each([
    ['SDK 1', connectSdk1],
    ['SDK 2', connectClient2],
  ] as const)('a client on %s, with the methods written by hand, polls the same events', async (sdk, connect) => {
    const cassette = join(folder, `polls-${sdk}.yaml`);
    const sees = async (command: Command) => pollsOf(await connect(command));
    const seen = await sees(recorded(cassette, events));
    expect(seen).toMatchObject([
      { events: [] },
      { events: [] },
      { events: [{ data: { service: 'db' } }] },
      { events: [] },
    ]);
    expect(await playedTwice(() => sees(replayed(cassette)))).toEqual([seen, seen]);
    expectPassed(await verified(cassette, '--', events.command, ...events.args));
    await expectClean(cassette);
  });
});
