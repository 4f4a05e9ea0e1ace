import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { launch, openUrl } from './chromium.ts';
import { type StaticServer, serveFolder } from './static-server.ts';

/** The built site: `npm run site` writes it. */
const SITE = join(import.meta.dirname, '..', '..', 'site', 'dist');
const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' });
const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html').sort();

const WIDTHS = [420, 1440];
/** Pages that together have every kind of element. */
const KINDS = [
  'index.html',
  'mock-file.html',
  'report.html',
  'architecture.html',
  'skill/SKILL.html',
  'api/mcp-record/nock.html',
];

let browser: Browser;
let server: StaticServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), serveFolder(SITE)]);
});
afterAll(() => Promise.all([browser.close(), server[Symbol.asyncDispose]()]));

/** Opens a page of the site in a window of its own, and waits until its scripts have taken it over. */
async function openSite(path: string, options: BrowserContextOptions = {}) {
  const opened = await openUrl(browser, `${server.origin}/${path}`, { ...options, within: `${server.origin}/` });
  await isAlive(opened.page);
  return opened;
}

/** The sidebar fades in where a window becomes wide, and has no colours of its own meanwhile. */
const stopTransitions = (page: Page) =>
  page.addStyleTag({ content: '*, ::before, ::after { transition: none !important; }' });

const isAlive = (page: Page) => page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));

it('no page scrolls sideways', async () => {
  expect(pages.length).toBeGreaterThan(70);
  await using opened = await openSite('index.html');
  const wide: string[] = [];
  for (const width of WIDTHS) {
    await opened.page.setViewportSize({ width, height: 800 });
    // All pages have the same style sheet, so that their text is enough, and there sooner.
    const found = await opened.page.evaluate(async (paths) => {
      const root = document.documentElement;
      const wider: string[] = [];
      for (const path of paths) {
        const html = await (await fetch(`/${path}`)).text();
        document.body.replaceWith(new DOMParser().parseFromString(html, 'text/html').body);
        if (root.scrollWidth > root.clientWidth) wider.push(`${path}: ${root.scrollWidth}`);
      }
      return wider;
    }, pages);
    wide.push(...found.map((one) => `${one} > ${width}`));
  }
  expect(wide).toEqual([]);
  expect(opened.troubles).toEqual([]);
});

it.each(KINDS)('axe finds nothing wrong with %s, it has no error, and asks no other host', async (path) => {
  await using opened = await openSite(path);
  await stopTransitions(opened.page);
  const found: string[] = [];
  for (const width of WIDTHS) {
    await opened.page.setViewportSize({ width, height: 800 });
    found.push(...(await findings(opened.page)).map((finding) => `${width}: ${finding}`));
  }
  expect(found).toEqual([]);
  expect(opened.troubles).toEqual([]);
});

it.each(KINDS.slice(0, 2))('axe finds nothing wrong with the dark colours of %s', async (path) => {
  await using opened = await openSite(path, { colorScheme: 'dark' });
  expect(await opened.page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
  expect(await findings(opened.page, 'color-contrast')).toEqual([]);
});

/**
 * What the search box of VitePress's own theme gets wrong, and no option of it mends: the box is a button that holds a list, an
 * option holds a link, and the link is named by its path, `A > B`, while it shows the parts with an icon between them.
 */
const OF_THEME = ['nested-interactive', 'label-content-name-mismatch'];
const isOfTheme = (finding: string) => {
  // A title in a selector may have a colon, too.
  const [, rule = '', elements = ''] = /^(.*?): (.*)$/s.exec(finding) ?? [];
  const isInBox = (element: string) =>
    /localsearch|VPLocalSearchBox|data-index|^\.selected$|^a\[(?:href|aria-label)/i.test(element);
  return OF_THEME.includes(rule) && elements.split(' | ').every(isInBox);
};

it('the search finds what users look for, and Enter opens the first page found', async () => {
  await using opened = await openSite('getting-started.html');
  const { page } = opened;
  for (const word of ['retry', 'sampling', 'cancel', 'secret']) {
    await page.keyboard.press('/');
    await page.locator('.search-input').fill(word);
    const first = page.locator('.VPLocalSearchBox .result', { hasText: new RegExp(word, 'i') }).first();
    await first.waitFor();
    if (word === 'retry') expect((await findings(page)).filter((finding) => !isOfTheme(finding))).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' });
    await page.locator('main', { hasText: new RegExp(word, 'i') }).waitFor();
  }
  expect(opened.troubles).toEqual([]);
});

it('text in braces and angle brackets is shown as it is written', async () => {
  await using opened = await openSite('mock-file.html');
  const text = await opened.page.locator('main').textContent();
  expect(text).toContain('{{now + 90s}}');
  expect(text).toContain('returns: Rain in {{/params/arguments/city}}.');
});

it('a block of code is copied by its button', async () => {
  await using opened = await openSite('getting-started.html', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = opened;
  const block = page.locator('div[class*=language-]').first();
  await block.hover();
  await block.getByRole('button').click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).toBe((await block.locator('code').textContent())!.trim());
});

it('the page that opens cassettes is reached from every page', async () => {
  await using opened = await openSite('report.html');
  await opened.page.getByRole('link', { name: 'Open a cassette', exact: true }).first().click();
  await opened.page.getByRole('button', { name: 'Choose files' }).waitFor();
  const cassette = join(SITE, '..', '..', 'cassettes', 'memory.yaml');
  await opened.page.locator('input[type=file]').setInputFiles(cassette);
  await opened.page.locator('#page h1', { hasText: 'memory.yaml' }).waitFor();
  const leaves = opened.troubles.filter((trouble) => !trouble.startsWith('request: blob:'));
  expect(leaves).toEqual([]);
});

it('the texts for coding agents name pages that are there', () => {
  const index = readFileSync(join(SITE, 'llms.txt'), 'utf8');
  const linked = [...index.matchAll(/^- \[.+\]\((\S+)\)/gm)].map(([, path]) => path!);
  expect(linked.length).toBeGreaterThan(70);
  expect(linked.filter((path) => !files.includes(path))).toEqual([]);
  const full = readFileSync(join(SITE, 'llms-full.txt'), 'utf8');
  for (const heading of ['# Mock a server', '# Errors and what to do', '# mcp-record/mock'])
    expect(full).toContain(`\n${heading}\n`);
});
