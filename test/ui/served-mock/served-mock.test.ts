import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordSession } from '../../e2e/verify/session.ts';
import { newFolder, servedUi } from '../served-ui.ts';

let recorded: string;
beforeAll(async () => {
  recorded = join(newFolder(), 'session.yaml');
  await recordSession(recorded);
});

/** A folder with the recorded session. */
function withSession(): string {
  const folder = newFolder();
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
