import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { fileVersion } from '../../../src/ui/cassettes/file-version.ts';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { servedUi } from '../served-ui.ts';

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

async function connected(url: string): Promise<Client> {
  const client = new Client({ name: 'demo-client', version: '1.0.0' }, { capabilities: { sampling: {} } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe('a cassette that a page serves', () => {
  it('is played to a client of the SDK, with a count for each played message', async () => {
    await using ui = await servedUi(withSession());
    await using page = await ui.open('session.yaml');
    expect(await ui.post('serve', SESSION)).toEqual({ status: 200, body: {} });
    await page.until(({ mock }) => mock.value?.isServing);
    const { url } = page.work.mock.value!;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    for (const _ of [1, 2]) {
      const client = await connected(url);
      expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
        content: [{ text: '1 + 2 = 3' }],
      });
      await client.close();
    }
    await page.until(({ mock }) => [...mock.value!.played.values()].filter((count) => count === 2).length === 2);
  });

  it('tells of a request that it does not have', async () => {
    await using ui = await servedUi(withSession());
    await using page = await ui.open('session.yaml');
    await ui.post('serve', SESSION);
    await page.until(({ mock }) => mock.value?.isServing);
    const client = await connected(page.work.mock.value!.url);
    await expect(client.callTool({ name: 'add', arguments: { a: 3, b: 4 } })).rejects.toThrow();
    await page.until(({ mock }) => mock.value!.missed > 0);
    expect(page.work.mock.value!.findings.find(({ isMiss }) => isMiss)!.text).toMatch(
      /^tools\/call "add"|session\.yaml/,
    );
    await client.close();
  });

  it('gives an answer that was edited while it is served, at the same URL and with the same faults', async () => {
    const folder = withSession();
    const file = join(folder, 'session.yaml');
    await using ui = await servedUi(folder);
    await using page = await ui.open('session.yaml');
    await ui.post('serve', SESSION);
    await page.until(({ mock }) => mock.value?.isServing);
    const { url } = page.work.mock.value!;
    const sum = async () => {
      const client = await connected(url);
      const { content } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
      await client.close();
      return content;
    };
    expect(await sum()).toMatchObject([{ text: '1 + 2 = 3' }]);
    const { frame, line } = loadCassette(file).events.find((event) => {
      return event.frame.kind === 'message' && event.frame.json.text.includes('1 + 2 = 3');
    })!;
    const before = frame.kind === 'message' ? frame.json.text : '';
    await ui.post('faults/add', { ...SESSION, line, fault: 'duplicate' });
    const text = JSON.stringify({ content: [{ type: 'text', text: '1 + 2 = 4' }] });
    const edit = { ...SESSION, line, part: 0, before, text, version: fileVersion(file), save: true };
    expect(await ui.post('edit', edit)).toMatchObject({ status: 200, body: { saved: true } });
    expect(await sum()).toMatchObject([{ text: '1 + 2 = 4' }]);
    await page.until(({ mock }) => mock.value!.rules[0]?.fired === 1);
    expect(page.work.mock.value!.findings[0]!.text).toMatch(/started again with the saved answer/);
  });

  it('is no longer served after it was stopped, and can be served again', async () => {
    await using ui = await servedUi(withSession());
    await using page = await ui.open('session.yaml');
    await ui.post('serve', SESSION);
    await ui.post('serve', SESSION);
    await page.until(({ mock }) => mock.value?.isServing);
    const { url } = page.work.mock.value!;
    expect((await ui.post('serve/stop', SESSION)).status).toBe(200);
    await page.until(({ mock }) => mock.value?.isServing === false);
    await expect(fetch(url)).rejects.toThrow();
    await ui.post('serve', SESSION);
    await page.until(({ mock }) => mock.value?.isServing);
    expect(page.work.mock.value).toMatchObject({ found: 0, played: new Map() });
  });

  it('is not served if it is no cassette', async () => {
    const folder = withSession();
    writeFileSync(join(folder, 'other.yaml'), 'a: 1\n');
    await using ui = await servedUi(folder);
    expect(await ui.post('serve', { session: 'other.yaml' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CASSETTE_NOT_RECOGNIZED' } },
    });
  });
});

describe('a fault of the menu', () => {
  const served = async () => {
    const folder = withSession();
    const ui = await servedUi(folder);
    const page = await ui.open('session.yaml');
    await ui.post('serve', SESSION);
    await page.until(({ mock }) => mock.value?.isServing);
    const { events } = loadCassette(join(folder, 'session.yaml'));
    const add = events.find(({ frame }) => frame.kind === 'message' && /"name": ?"add","arg/.test(frame.json.text))!;
    return { ui, page, line: add.line };
  };

  it('meets a client of the SDK from then on, is shown as YAML, and is gone when it is removed', async () => {
    const { ui, page, line } = await served();
    const menu = await ui.post('faults/menu', { ...SESSION, line });
    expect(menu.body).toMatchObject({
      faults: expect.arrayContaining([{ name: 'error-reply', doc: FAULTS.get('error-reply')!.doc }]),
    });
    const client = await connected(page.work.mock.value!.url);
    expect((await ui.post('faults/add', { ...SESSION, line, fault: 'error-reply' })).status).toBe(200);
    const call = () => client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
    await expect(call()).rejects.toThrow(/-32603|-32000/);
    await page.until(({ mock }) => mock.value?.rules[0]?.fired === 1);
    expect(page.work.mock.value!.rules).toEqual([
      {
        id: 1,
        fault: 'error-reply',
        yaml: '- do: error-reply\n  when:\n    kind: response\n    method: tools/call\n    tool: add',
        fired: 1,
      },
    ]);
    const { rules } = parseFaultRules(parse(`faults:\n${page.work.mock.value!.rules[0]!.yaml}`), {
      name: 'the page',
      transport: 'http',
    });
    expect(rules).toHaveLength(1);
    await ui.post('faults/remove', { ...SESSION, rule: 1 });
    await page.until(({ mock }) => mock.value?.rules.length === 0);
    await expect(call()).resolves.toMatchObject({ content: [{ text: '1 + 2 = 3' }] });
    await client.close();
    await page[Symbol.asyncDispose]();
    await ui[Symbol.asyncDispose]();
  });

  it('that does not fit, or that is not there, is refused', async () => {
    const { ui, page, line } = await served();
    const refused = (action: string, more: object) => ui.post(action, { ...SESSION, ...more });
    expect(await refused('faults/add', { line, fault: 'version' })).toMatchObject({
      status: 409,
      body: { error: { code: 'UI_FAULT_DOES_NOT_FIT' } },
    });
    expect(await refused('faults/remove', { rule: 7 })).toMatchObject({
      status: 409,
      body: { error: { code: 'UI_NOT_SERVING' } },
    });
    await ui.post('serve/stop', SESSION);
    expect(await refused('faults/menu', { line })).toMatchObject({ body: { error: { code: 'UI_NOT_SERVING' } } });
    await page[Symbol.asyncDispose]();
    await ui[Symbol.asyncDispose]();
  });
});
