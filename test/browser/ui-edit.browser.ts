import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { call, client, server } from '../support/conversation.ts';
import { findings } from './axe.ts';
import { launch, openUrl } from './chromium.ts';
import { END, events, HEAD, ui } from './live.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const row = (page: Page, text: string) => page.getByRole('option').filter({ hasText: text }).first();
const field = (page: Page) => page.getByRole('textbox', { name: /^(Result|Error) as/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
const said = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'weather', version: '1' },
};
const answer = (id: number, text: string) =>
  server({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
const SESSION =
  HEAD +
  events(
    client({ jsonrpc: '2.0', id: 0, method: 'initialize', params: info }),
    server({ jsonrpc: '2.0', id: 0, result: said }),
    client({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    client(call(1, 'forecast', { city: 'Oslo' })),
    answer(1, 'rain\nand wind'),
    client(call(2, 'forecast', { city: 'Rome' })),
    answer(2, 'sun'),
  );

/** A folder with a cassette under git, served. */
async function served(text = SESSION + END) {
  const folder = temporaryFolder();
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' });
  writeFileSync(join(folder, 'a.yaml'), text);
  git('init', '-q');
  git('add', '.');
  const changedLines = () =>
    git('diff', '-U0')
      .split('\n')
      .filter((line) => /^[-+][^-+]/.test(line));
  return { ...(await ui(folder)), file: join(folder, 'a.yaml'), changedLines };
}

async function openAnswer(url: string, options: object = {}) {
  const opened = await openUrl(browser, `${url}?session=a.yaml`, options);
  await row(opened.page, 'Oslo').click();
  await button(opened.page, 'Edit result').waitFor();
  return opened;
}

describe('an answer', () => {
  it('is edited by keys alone, and replayed to a client of the SDK', async () => {
    await using one = await served();
    await using opened = await openAnswer(one.url);
    const { page, troubles } = opened;
    await button(page, 'Edit result').focus();
    await page.keyboard.press('Enter');
    expect(await field(page).inputValue()).toContain('"text": "rain\\nand wind"');
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.type('x/n?1');
    await page.getByText(/Line \d+, column \d+/).waitFor();
    expect(await button(page, 'Save to the cassette').isDisabled()).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"content": [{"type": "text", "text": "rain\\nand snow"}]}');
    await page.locator('ins').filter({ hasText: 'and snow' }).waitFor();
    expect(await page.locator('del').allTextContents()).toEqual(['        and wind']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await button(page, 'Edit result').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(one.changedLines()).toEqual(['-            and wind', '+            and snow']);
    // The page has the new answer, and the call is still open.
    await page.locator('aside').getByText('and snow').first().waitFor();
    expect(await page.getByText('took the place of this one').count()).toBe(0);
    expect(troubles).toEqual([]);

    const { command, args } = mcpRecord('replay', one.file);
    const sdk = new Client({ name: 'agent', version: '1' });
    await sdk.connect(new StdioClientTransport({ command, args: [...args] }));
    const result = await sdk.callTool({ name: 'forecast', arguments: { city: 'Oslo' } });
    await sdk.close();
    expect(result.content).toEqual([{ type: 'text', text: 'rain\nand snow' }]);
  });

  it('that breaks the protocol is saved, and the page says what it breaks', async () => {
    await using one = await served();
    await using opened = await openAnswer(one.url);
    const { page } = opened;
    await button(page, 'Edit result').click();
    await field(page).fill('{"content": "nonsense"}');
    await button(page, 'Save to the cassette').click();
    await page.getByText('Saved, but it breaks the protocol: "content" is not a list [tool-result].').waitFor();
    expect(one.changedLines().join()).toContain('nonsense');
  });

  it('is edited as YAML, and a draft outlives a look at another call', async () => {
    await using one = await served();
    await using opened = await openAnswer(one.url);
    const { page } = opened;
    await page.getByRole('tab', { name: 'YAML' }).click();
    await button(page, 'Edit result').click();
    await field(page).fill('content:\n  - type: text\n    text: fog\nisError: true\n');
    await page.keyboard.press('Escape');
    await row(page, 'Rome').click();
    await page.getByText('An edit is open for another answer.').waitFor();
    await row(page, 'Oslo').click();
    expect(await field(page).inputValue()).toContain('text: fog');
    await button(page, 'Save to the cassette').click();
    await page.getByText('Saved.').waitFor();
    expect(one.changedLines().filter((line) => line.startsWith('+'))).toEqual([
      '+          text: fog',
      '+      isError: true',
    ]);
    await row(page, 'Oslo').filter({ hasText: '✗' }).waitFor();
  });

  it('that two browsers edit is saved by the first, and the second is told', async () => {
    await using one = await served();
    await using first = await openAnswer(one.url);
    await using second = await openAnswer(one.url);
    for (const { page } of [first, second]) await button(page, 'Edit result').click();
    await field(second.page).fill('{"content": []}');
    await field(first.page).fill('{"content": [{"type": "text", "text": "first"}]}');
    await button(first.page, 'Save to the cassette').click();
    await first.page.getByText('Saved.').waitFor();
    await second.page.getByText('The file has changed since you began to edit').waitFor();
    expect(await field(second.page).inputValue()).toBe('{"content": []}');
    await button(second.page, 'Save to the cassette').click();
    await second.page.getByText('CASSETTE_CHANGED').waitFor();
    expect(readFileSync(one.file, 'utf8')).toContain('text: first');
    await button(second.page, 'Cancel').click();
    await button(second.page, 'Edit result').click();
    expect(await field(second.page).inputValue()).toContain('"first"');
  });

  it('of a session that is being recorded is not offered, until its recording has ended', async () => {
    await using one = await served(SESSION);
    await using opened = await openAnswer(one.url);
    const { page } = opened;
    expect(await button(page, 'Edit result').isDisabled()).toBe(true);
    await page.getByText('You can edit the answer when its recording has ended.').waitFor();
    appendFileSync(one.file, END);
    await page.getByText('You can edit the answer').waitFor({ state: 'detached' });
    expect(await button(page, 'Edit result').isEnabled()).toBe(true);
  });
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('axe finds nothing wrong with the form, at no width', async () => {
    await using one = await served();
    await using opened = await openAnswer(one.url, { colorScheme });
    const { page } = opened;
    const found: string[] = [];
    const look = async (name: string) => {
      for (const width of [420, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // On a narrow page, the details are below the calls.
        await page.locator('.answer-form, aside [role=tabpanel] .ways').first().scrollIntoViewIfNeeded();
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: join(process.env.SCREENSHOTS, `edit-${name}-${colorScheme}-${width}.png`) });
        const rules = colorScheme === 'dark' ? ['color-contrast'] : [];
        found.push(...(await findings(page, ...rules)).map((finding) => `${name}, ${width}: ${finding}`));
      }
    };
    await look('button');
    await button(page, 'Edit result').click();
    await look('form');
    await field(page).fill('{"content": [,]}');
    await page.getByText(/Line 1, column/).waitFor();
    await look('problem');
    await field(page).fill('{"content": [{"type": "text", "text": "rain\\nand snow"}]}');
    await page.locator('ins').waitFor();
    await look('difference');
    appendFileSync(one.file, '# A person wrote this.\n');
    await page.getByText('The file has changed').waitFor();
    expect(found).toEqual([]);
  });
});
