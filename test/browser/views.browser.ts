import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, open } from './chromium.ts';
import { EVERYTHING, file, report } from './reports.ts';

let browser: Browser;
let everything: string;
beforeAll(async () => {
  browser = await launch();
  everything = report('everything', EVERYTHING);
});
afterAll(() => browser.close());

const row = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const status = (page: Page) => page.getByRole('status').textContent();
const details = (page: Page) => page.getByRole('complementary');
const tab = (page: Page, name: string) => details(page).getByRole('tab', { name, exact: true });
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const hash = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

describe('calls', () => {
  it('stand on an axis of time, with their progress, as long as they took', async () => {
    await using opened = await open(browser, everything);
    const { page } = opened;
    const slow = row(page, /trigger-long-running-operation.*210 ms/);
    const box = async (part: string) => (await slow.locator(part).first().boundingBox())!;
    const [bar, axis] = [await box('.bar'), await box('.axis')];
    expect(bar.width / axis.width).toBeCloseTo(210 / 2_040, 2);
    expect(await slow.locator('.progress').count()).toBe(4);
    const [first, second] = await slow
      .locator('.progress')
      .evaluateAll((ticks) => ticks.map((tick) => tick.getBoundingClientRect().x));
    expect((second! - first!) / axis.width).toBeCloseTo(50 / 2_040, 2);
    expect(
      await row(page, /initialize/)
        .locator('.outcome')
        .textContent(),
    ).toBe('✓ 240 ms');
    await page.keyboard.press('n');
    expect(await row(page, /no-such-tool/).getAttribute('class')).toMatch(/is-error.*is-selected/);
  });

  it('that were cancelled, refused or never answered look so, and what the server asks stands in its call', async () => {
    const said = (side: string, message: object, rest = '') =>
      `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n${rest}`;
    const refused = file(
      'refused.yaml',
      [
        'format: mcp-record/1\ntransport: http\nurl: https://example.com/mcp\nevents:\n',
        said('client', { id: 1, method: 'tools/call', params: { name: 'busy' } }, '  stream: 1\n'),
        said(
          'server',
          { id: null, error: { code: -32000, message: 'busy' } },
          '  stream: 1\n  status: 503\n  after: 20\n',
        ),
        said('client', { id: 2, method: 'tools/call', params: { name: 'asks' } }, '  stream: 2\n'),
        said('server', { id: 1, method: 'elicitation/create', params: {} }, '  stream: 2\n  sse: {}\n  after: 20\n'),
        said('client', { id: 3, method: 'tools/call', params: { name: 'left', _meta: MODERN } }, '  stream: 3\n'),
        '- close: client\n  stream: 3\n  how: fin\n  after: 30\n',
      ].join(''),
    );
    await using opened = await open(browser, report('refused', refused));
    const { page } = opened;
    expect(await page.locator('.row .outcome').allTextContents()).toEqual([
      '✗ error, 20 ms',
      '… never answered',
      '… never answered',
      '⊘ cancelled, 30 ms',
    ]);
    expect(await page.locator('.row.is-nested').locator('.sentence').textContent()).toContain('elicitation/create');
    await row(page, /busy/).click();
    expect(await details(page).locator('.card.lint-error').last().textContent()).toContain('busy');
    await using faulted = await open(
      browser,
      report('faulted', 'sessions/faulted.yaml', '--journal', 'sessions/faulted.ndjson'),
    );
    expect(
      await row(faulted.page, /cancelled/)
        .locator('.outcome')
        .textContent(),
    ).toMatch(/^⊘ cancelled, \d+ ms$/);
    expect(await faulted.page.locator('.badge.fault').allTextContents()).toEqual([
      '⚡ latency',
      '⚡ wrong-id',
      '⚡ drop',
      '⚡ duplicate',
    ]);
  });

  it('are zoomed by a drag over the overview or by keys, and the link says how far', async () => {
    await using opened = await open(browser, everything);
    const { page } = opened;
    const { x, y, width, height } = (await page.locator('.overview').boundingBox())!;
    await page.mouse.move(x + width / 4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.up();
    expect(hash(page)).toMatch(/^#\?ms=(?:509|510)-10(?:20|21)$/);
    const zoomed = await status(page);
    expect(zoomed).toMatch(/^\d+ of 71 calls in 2040 ms$/);
    await page.reload();
    await page.locator('[role=status]:not(:empty)').waitFor();
    expect(await status(page)).toBe(zoomed);
    await page.keyboard.press('0');
    expect(await status(page)).toBe('71 calls in 2040 ms');
    await page.keyboard.press('+');
    expect(hash(page)).toBe('#?ms=510-1530');
    await page.keyboard.press('-');
    expect(hash(page)).toBe('');
  });
});

describe('tools', () => {
  it('have their times, failures and sizes in a table, and lead to their calls', async () => {
    await using opened = await open(browser, everything, '#?view=tools');
    const { page } = opened;
    const cells = (name: string) => page.getByRole('row', { name }).getByRole('cell').allTextContents();
    expect(await cells('trigger-long-running-operation')).toEqual([
      '2',
      '210 ms',
      '210 ms',
      '210 ms',
      '0',
      '1',
      '330 B',
      '140 B',
      '35',
      '148',
    ]);
    expect(await page.getByRole('row', { name: 'no-such-tool' }).textContent()).toContain('not offered');
    expect(await page.getByRole('row', { name: 'get-env' }).textContent()).toContain('never used');
    const search = page.getByRole('combobox');
    await search.fill('is:error');
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['get-sum', 'no-such-toolnot offered']);
    await search.fill('env');
    expect(await page.getByRole('rowheader').allTextContents()).toContain('get-env never used');
    await search.fill('');
    await page.getByRole('button', { name: 'received' }).click();
    expect(await page.getByRole('rowheader').first().textContent()).toBe('get-annotated-message');
    await page.getByRole('button', { name: 'get-sum', exact: true }).click();
    expect(await status(page)).toBe('12 of 71 calls in 2040 ms');
  });
});

describe('the details of a call', () => {
  it('show what it returned: pictures, structure, links; and what a schema says of it', async () => {
    await using opened = await open(browser, everything);
    const { page, troubles } = opened;
    await row(page, /get-annotated-message.*includeImage/)
      .first()
      .click();
    expect(
      await details(page)
        .getByRole('img')
        .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(0);
    await row(page, /get-structured-content/).click();
    expect(await details(page).getByRole('group', { name: 'Structured content' }).textContent()).toContain(
      '"temperature"',
    );
    await tab(page, 'Schema').click();
    expect(await details(page).locator('.fine').allTextContents()).toEqual([
      '✓ The arguments fit it.',
      '✓ The structured content fit it.',
    ]);
    await page.getByRole('combobox').fill('is:error');
    await row(page, /get-sum.*error/).click();
    expect(await details(page).locator('.card.lint-error').textContent()).toContain('The arguments violate it');
    await tab(page, 'Result').click();
    await page.getByRole('combobox').fill('tool:get-resource-links');
    await row(page, /get-resource-links/).click();
    expect(await details(page).locator('.block.resource').count()).toBeGreaterThan(0);
    expect(troubles).toEqual([]);
  });

  it('show all its messages, each one click away, and the call as a cassette has it', async () => {
    await using opened = await open(browser, everything);
    const { page } = opened;
    await row(page, /trigger-long-running-operation.*210 ms/).click();
    await tab(page, 'Messages').click();
    const messages = details(page).getByRole('listitem');
    expect(await messages.count()).toBe(6);
    await tab(page, 'Messages').press('ArrowRight');
    expect(await tab(page, 'Schema').getAttribute('aria-selected')).toBe('true');
    await tab(page, 'YAML').click();
    expect(await details(page).getByRole('group', { name: 'Cassette' }).textContent()).toMatch(
      /^- client:\n {4}method: "tools\/call"/,
    );
    expect(hash(page)).toMatch(/^#line-\d+\?tab=YAML$/);
    await tab(page, 'Messages').click();
    await messages.nth(2).getByRole('button').click();
    expect(await details(page).getByRole('heading', { level: 2 }).textContent()).toBe('progress');
    await page.keyboard.press('2');
    expect(await page.locator('.row.is-related').count()).toBe(6);
  });

  it('show Markdown, JSON and text as what they are, and copy the call in four forms', async () => {
    const text =
      '# Rain\n\n- *much* of it\n- see [the map](javascript:alert(1))\n\n| a | b |\n|---|---|\n| 1 | <img src=x> |';
    const said = (side: string, message: object) =>
      `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n  stream: 1\n`;
    const blocks = [text, '{"a":1.50}', 'plain'].map((one) => ({ type: 'text', text: one }));
    const cassette = file(
      'blocks.yaml',
      `format: mcp-record/1\ntransport: http\nurl: https://example.com/mcp\nevents:\n${said('client', { id: 1, method: 'tools/call', params: { name: 'weather' } })}${said('server', { id: 1, result: { content: blocks } })}`,
    );
    await using opened = await open(browser, report('blocks', cassette), '#line-5', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, troubles } = opened;
    const shown = details(page).locator('.markdown');
    expect(await shown.locator('li').allTextContents()).toEqual(['much of it', 'see the map javascript:alert(1)']);
    expect(await shown.getByRole('cell').allTextContents()).toEqual(['1', '<img src=x>']);
    expect(await details(page).locator('a, img').count()).toBe(0);
    await details(page).getByRole('button', { name: 'Text' }).first().click();
    expect(await details(page).locator('.block pre').first().textContent()).toBe(text);
    expect(await details(page).getByRole('group', { name: 'Text', exact: true }).textContent()).toContain('"a": 1.50');
    const copied = async (name: string) => {
      await details(page).getByRole('button', { name }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied('Copy SDK call')).toBe('await client.callTool({\n  "name": "weather"\n})');
    expect(await copied('Copy curl')).toContain("-- 'https://example.com/mcp'");
    expect(await copied('Copy test')).toContain('test("tools/call \\"weather\\"", async ({ mcp }) =>');
    expect(await copied('Copy fork')).toMatch(
      /^npx mcp-record fork -o new\.yaml '.*:\d+' --http 'https:\/\/example\.com\/mcp'$/,
    );
    expect(await copied('Copy link')).toContain('#line-5');
    expect(troubles).toEqual([]);
  });
});

describe('a search', () => {
  it('marks what it found, says what is no field, and is in the link', async () => {
    await using opened = await open(browser, everything, '#line-599?view=sequence');
    const { page } = opened;
    const search = page.getByRole('combobox');
    await search.fill('HELLO -result');
    expect(await page.locator('.row mark').allTextContents()).toContain('hello');
    expect(await details(page).locator('mark').allTextContents()).toEqual(['hello']);
    expect(await page.getByRole('option', { name: /result/ }).count()).toBe(0);
    await search.fill('hello wat:7');
    expect(await status(page)).toMatch(/^wat: is no field\. Fields are method: server: tool:/);
    expect(await search.getAttribute('aria-invalid')).toBe('true');
    await search.fill('took:>100');
    await page.keyboard.press('Enter');
    await page.keyboard.press('1');
    expect(await status(page)).toBe('3 of 71 calls in 2040 ms');
    expect(hash(page)).toBe('#line-599?q=took:>100');
    await page.reload();
    await page.locator('[role=status]:not(:empty)').waitFor();
    expect(await search.inputValue()).toBe('took:>100');
  });
});

it('what differs comes first, word by word, and as often as diff counts it', async () => {
  const more = readFileSync(EVERYTHING, 'utf8')
    .replace('Echoes back the input string', 'Says the input string again')
    .replace('- name: get-tiny-image\n', '- name: get-small-image\n')
    .replace('get-tiny-image', 'get-small-image');
  await using opened = await open(browser, report('words', EVERYTHING, file('words.yaml', more)));
  const { page } = opened;
  await page.getByRole('button', { name: '≠ differences 3' }).waitFor();
  expect(await page.locator('.row .sign').allTextContents()).toEqual(['≠', '+', '−']);
  await page.getByRole('option').first().click();
  expect(await details(page).locator('del b').first().textContent()).toContain('Echoes');
  expect(await details(page).locator('ins b').allTextContents()).toContain(' again');
});

it.each(['', '#line-599', '#line-599?view=sequence', '#?view=tools'])(
  'nothing is wider than a window of 420, 1024 or 1440 pixels: %s',
  async (place) => {
    await using opened = await open(browser, everything, place);
    const { page } = opened;
    for (const width of [420, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const cut = await page
        .locator('.call .outcome')
        .evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).length);
      if (width > 420) expect(cut).toBe(0);
      if (place.includes('599')) expect(await details(page).getByRole('tab', { name: 'YAML' }).isVisible()).toBe(true);
    }
  },
);

it('at 200 % the rows and the details each have a part of the screen', async () => {
  await using opened = await open(browser, everything, '#line-599', { viewport: { width: 680, height: 425 } });
  const { page } = opened;
  const heights = await page
    .locator('.rows, aside')
    .evaluateAll((parts) => parts.map(({ clientHeight }) => clientHeight));
  expect(Math.min(...heights)).toBeGreaterThan(150);
  expect(await details(page).getByRole('heading', { level: 2 }).isVisible()).toBe(true);
});

it('forced colours leave bars and what is selected to be seen', async () => {
  await using opened = await open(browser, everything, '#line-599', { forcedColors: 'active' });
  const { page } = opened;
  const colour = (part: string) =>
    page
      .locator(part)
      .first()
      .evaluate((it) => getComputedStyle(it).backgroundColor);
  const ground = await colour('.rows');
  for (const part of ['.row .bar', '.row.is-selected', '.overview span', '[role=tab][aria-selected=true]'])
    expect(await colour(part), part).not.toBe(ground);
});

it.each(['light', 'dark'] as const)(
  'bars stand out against what they stand on, at least 3 to 1, in %s colours',
  async (colorScheme) => {
    const streams = report('streams', 'sessions/streams.yaml');
    for (const [path, place, part] of [
      [everything, '', '.row .bar, .progress, .overview span:not(.has-failed)'],
      [streams, '#?view=sequence', '.bar.call:not(.is-pending), .bar.stream, .dot'],
    ] as const) {
      await using opened = await open(browser, path, place, { colorScheme });
      const pairs = await opened.page
        .locator(part)
        .evaluateAll((bars) =>
          bars.map((bar) => [
            getComputedStyle(bar).backgroundColor,
            getComputedStyle(document.querySelector('.rows')!).backgroundColor,
          ]),
        );
      expect(pairs.length).toBeGreaterThan(5);
      expect(pairs.filter(([bar, ground]) => contrast(bar!, ground!) < 3)).toEqual([]);
    }
  },
);

function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
