import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { recordSession, server } from '../../e2e/verify/session.ts';
import { said, temporaryFolder } from '../../support/cassette.ts';
import { fixture } from '../../support/process.ts';
import { type ListeningPage, type ServedUi, servedUi, serverUnderTest } from '../served-ui.ts';

const recorded = join(temporaryFolder(), 'session.yaml');
beforeAll(async () => {
  await recordSession(recorded);
});

/** A folder with the recorded session. */
function withSession(): string {
  const folder = temporaryFolder();
  copyFileSync(recorded, join(folder, 'session.yaml'));
  return folder;
}

const SESSION = { session: 'session.yaml' };

/** The line of the answer of a tool. */
function lineOfAnswer(text: string): number {
  const { events } = loadCassette(recorded);
  return events.find(({ frame }) => frame.kind === 'message' && frame.json.text.includes(`"text":"${text}`))!.line;
}

async function connected({ work }: ListeningPage): Promise<Client> {
  const client = new Client({ name: 'demo-client', version: '1.0.0' }, { capabilities: { sampling: {} } });
  await client.connect(new StreamableHTTPClientTransport(new URL(work.fork.value!.url)));
  return client;
}

/** Ends the session of a client, and resolves when the page says so. */
async function ended(client: Client, page: ListeningPage): Promise<void> {
  await (client.transport as StreamableHTTPClientTransport).terminateSession();
  await client.close();
  await page.until(({ fork }) => fork.value?.isOpen === false);
}

const fork = (ui: ServedUi, line: number, withClient = false) => ui.post('fork', { ...SESSION, line, withClient });
const weather = (city: string) => ({ name: 'weather', arguments: { city } });
const tools = (file: string) =>
  said(file).flatMap(([, message]) => {
    const { method, params } = message as { method?: string; params?: { name: string; arguments: object } };
    return method === 'tools/call' ? [[params!.name, params!.arguments]] : [];
  });

describe('a session that a page replays up to a call, and then lets go on', () => {
  it('plays its calls to the live server, which then answers the client; both are recorded beside it', async () => {
    const folder = withSession();
    await using ui = await servedUi(folder, serverUnderTest(server()));
    await using page = await ui.open('session.yaml');
    expect(await fork(ui, lineOfAnswer('1 + 2'))).toEqual({ status: 200, body: {} });
    await page.until(({ fork }) => fork.value?.isOpen);
    const { url, hasClient, output, notes } = page.work.fork.value!;
    expect(hasClient).toBe(false);
    expect([url, output, notes]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      'session-fork.yaml',
      [],
    ]);
    const client = await connected(page);
    await page.until(({ fork }) => fork.value!.notes.length > 0);
    expect(page.work.fork.value!.notes[0]).toMatch(
      /^Played session\.yaml:\d+: 3 answers as recorded\. The live client goes on\.$/,
    );
    expect(page.work.fork.value!.hasClient).toBe(true);
    expect(await client.callTool(weather('Bergen'))).toMatchObject({
      content: [{ text: 'Bergen has 20 degrees celsius' }],
    });
    await ended(client, page);
    expect(tools(join(folder, output))).toEqual([
      ['add', { a: 1, b: 2 }],
      ['weather', { city: 'Bergen' }],
    ]);
    expect(loadCassette(join(folder, output)).end).toBeDefined();
  });

  it('answers the calls of its client up to the line, if asked to', async () => {
    const folder = withSession();
    await using ui = await servedUi(folder, serverUnderTest(server('changed-text')));
    await using page = await ui.open('session.yaml');
    await fork(ui, lineOfAnswer('1 + 2'), true);
    await page.until(({ fork }) => fork.value?.isOpen);
    const client = await connected(page);
    await client.listTools();
    await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    expect(await client.callTool(weather('Oslo'))).toMatchObject({ content: [{ text: 'Oslo: 20 celsius' }] });
    expect(page.work.fork.value!.notes.join('\n')).toMatch(/The client has come to session\.yaml:\d+/);
    await ended(client, page);
  });

  it('is ended by the page, and a second one of it takes another name', async () => {
    const folder = withSession();
    await using ui = await servedUi(folder, serverUnderTest(server()));
    await using page = await ui.open('session.yaml');
    const line = lineOfAnswer('1 + 2');
    await fork(ui, line);
    await page.until(({ fork }) => fork.value?.isOpen);
    const client = await connected(page);
    await client.callTool(weather('Bergen'));
    await fork(ui, line);
    await page.until(({ fork }) => fork.value?.output === 'session-fork-2.yaml');
    expect(loadCassette(join(folder, 'session-fork.yaml')).end).toBeDefined();
    await client.close();
    expect((await ui.post('fork/stop', SESSION)).status).toBe(200);
    await page.until(({ fork }) => fork.value?.isOpen === false);
  });

  it('does not go on with a server that answers otherwise, and says what differs', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server('changed-text')));
    await using page = await ui.open('session.yaml');
    await fork(ui, lineOfAnswer('Oslo'));
    await page.until(({ fork }) => fork.value?.isOpen);
    await connected(page).catch(() => {});
    await page.until(({ fork }) => fork.value?.isOpen === false);
    const { notes, problem } = page.work.fork.value!;
    expect(notes.join('\n')).toMatch(/tools\/call "weather": .*session\.yaml:\d+/s);
    expect(problem).toMatchObject({ code: 'FORK_DIFFERS', next: expect.stringContaining('--ignore') });
  });

  it('shows what the server writes on standard error, and that it ended', async () => {
    await using ui = await servedUi(withSession(), serverUnderTest(server('crash')));
    await using page = await ui.open('session.yaml');
    await fork(ui, lineOfAnswer('1 + 2'));
    await page.until(({ fork }) => fork.value?.isOpen);
    const client = await connected(page);
    await expect(client.callTool(weather('Oslo'))).rejects.toThrow();
    await page.until(({ fork }) => fork.value?.isOpen === false);
    expect(page.work.fork.value!.notes).toContain('out of weather');
  });

  it('needs a server that starts', async () => {
    const { command } = fixture('none.js');
    await using ui = await servedUi(withSession(), serverUnderTest({ command: `${command}-missing`, args: [] }));
    await using page = await ui.open('session.yaml');
    await fork(ui, lineOfAnswer('1 + 2'));
    await page.until(({ fork }) => fork.value?.problem !== undefined);
    expect(page.work.fork.value).toMatchObject({ isOpen: false, problem: { code: 'COMMAND_NOT_FOUND' } });
  });

  it.each([
    ['in the middle of a call', () => lineOfAnswer('1 + 2') - 1, 'FORK_IN_CALL'],
    ['after the end of the file', () => 100_000, 'USAGE_BAD_LINES'],
  ])('at a line %s is refused, and writes nothing', async (_, line, code) => {
    const folder = withSession();
    await using ui = await servedUi(folder, serverUnderTest(server()));
    expect(await fork(ui, line())).toMatchObject({ status: 409, body: { error: { code } } });
    expect(readdirSync(folder)).toEqual(['session.yaml']);
  });

  it('without a server is refused', async () => {
    await using ui = await servedUi(withSession());
    expect(await fork(ui, 1)).toMatchObject({
      status: 409,
      body: { error: { code: 'UI_NO_SERVER', message: expect.stringContaining('Cannot go on with a server') } },
    });
  });
});
