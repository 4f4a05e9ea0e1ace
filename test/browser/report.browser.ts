import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, open } from './chromium.ts';
import { EVERYTHING, file, longCassette, report } from './reports.ts';

let browser: Browser;
let everything: string;
beforeAll(async () => {
  browser = await launch();
  everything = report('everything', EVERYTHING);
});
afterAll(() => browser.close());

const rows = (page: Page) => page.getByRole('option');
const selected = (page: Page) => page.getByRole('option', { selected: true });
const status = (page: Page) => page.getByRole('status').textContent();

describe('a page from the disk', () => {
  it('shows the session, needs nothing else, and breaks no rule of its own policy', async () => {
    await using opened = await open(browser, everything);
    const { page, troubles } = opened;
    expect(await page.title()).toBe('cassettes/everything.yaml · mcp-record');
    expect(await status(page)).toBe('71 calls in 2040 ms');
    expect(await rows(page).first().locator('.sentence').textContent()).toMatch(
      /^Line 7, 0\.000 seconds, client to server: request initialize/,
    );
    expect(troubles).toEqual([]);
  });

  it('opens at the event that a link names, and a click makes such a link', async () => {
    await using opened = await open(browser, everything, '#line-599');
    const { page } = opened;
    expect(await selected(page).locator('.sentence').textContent()).toContain('Line 599,');
    expect(await selected(page).isVisible()).toBe(true);
    await page.getByRole('option', { name: 'Line 591,' }).click();
    expect(new URL(page.url()).hash).toBe('#line-591');
    expect(await page.getByRole('complementary').getByRole('heading', { level: 2 }).textContent()).toBe('ping');
  });

  it('follows a link to what a filter hides', async () => {
    await using opened = await open(browser, everything);
    const { page } = opened;
    await page.getByRole('searchbox').or(page.getByRole('combobox')).fill('tool:echo');
    await page.evaluate(() => {
      location.hash = '#line-591';
    });
    await selected(page).waitFor();
    expect(await selected(page).locator('.sentence').textContent()).toContain('Line 591,');
  });

  it('is read by keys alone, from the first moment', async () => {
    await using opened = await open(browser, everything, '#?view=sequence');
    const { page } = opened;
    const at = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
      return page.locator(`#${active}`).locator('.sentence').textContent();
    };
    expect(await at('ArrowDown')).toContain('Line 7,');
    expect(await at('a')).toContain('Line 25,');
    expect(await at('a')).toContain('Line 7,');
    expect(await at('n')).toContain('no-such-tool');
    expect(await at('End')).toContain('exit');
    expect(await at('p')).toContain('cancelled');
    expect(await at('Home')).toContain('Line 7,');
    expect(await at('a', 'ArrowLeft')).toContain('Line 7,');
    expect(await page.getByRole('option', { name: 'Line 25,' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('complementary').evaluate((aside) => aside === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('tool:echo');
    expect(await status(page)).toBe('38 of 164 events in 2040 ms');
    await page.keyboard.press('Enter');
    await page.keyboard.press('1');
    expect(await status(page)).toBe('19 of 71 calls in 2040 ms');
    await page.keyboard.press('3');
    expect(await page.getByRole('table').isVisible()).toBe(true);
  });

  it('moving from row to row leaves all others, and a search the buttons, the elements they are', async () => {
    await using opened = await open(browser, everything);
    const { page } = opened;
    const row = await rows(page).nth(3).elementHandle();
    const chip = await page.getByRole('button', { name: /failed/ }).elementHandle();
    for (const key of ['Home', 'ArrowDown', 'ArrowDown']) await page.getByRole('listbox').press(key);
    expect(await row!.evaluate((element) => element.isConnected)).toBe(true);
    expect(await selected(page).count()).toBe(1);
    await page.getByRole('combobox').fill('tool:echo');
    expect(await chip!.evaluate((element) => element.isConnected)).toBe(true);
  });

  it('tells which keys there are, by a key and by a button', async () => {
    await using opened = await open(browser, everything);
    const { page } = opened;
    const dialog = page.getByRole('dialog', { name: 'Keys and searches' });
    await page.keyboard.press('?');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Keys and searches' }).click();
    await dialog.waitFor();
  });

  it('on a small screen shows methods whole, and its help from the beginning', async () => {
    await using opened = await open(browser, everything, '', { viewport: { width: 400, height: 640 } });
    const { page } = opened;
    const cut = await page
      .locator('.row .what')
      .evaluateAll((all) => all.flatMap((it) => (it.scrollWidth > it.clientWidth ? [it.textContent] : [])));
    expect(cut.filter((what) => what.length <= 'tools/list_changed'.length)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    expect(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollTop)).toBe(0);
  });

  it('shows only what is asked for, and folds calls to what came of them', async () => {
    await using opened = await open(browser, everything, '#?view=sequence');
    const { page } = opened;
    const failed = page.getByRole('button', { name: /failed/ });
    await failed.click();
    expect(await status(page)).toBe('8 of 164 events in 2040 ms');
    expect(await failed.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Folded', exact: true }).click();
    expect(await status(page)).toBe('4 of 164 events in 2040 ms');
    await failed.click();
    await page.getByRole('option', { name: 'Line 599,' }).locator('.fold').click();
    expect(await page.getByRole('option', { name: /Echo: hello/ }).count()).toBe(1);
  });

  it('sets events as far apart as they were', async () => {
    await using opened = await open(browser, everything, '#?view=sequence');
    const { page } = opened;
    const height = () => page.getByRole('listbox').evaluate((list) => list.scrollHeight);
    const even = await height();
    await page.getByRole('button', { name: 'Real time' }).click();
    expect(await height()).toBeGreaterThan(even + 500);
  });

  it('shows a message to the letter, and copies it so', async () => {
    const exact =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sum","arguments":{"a":1.0,"b":12345678901234567890}}}';
    const cassette = file('exact.yaml', `format: mcp-record/1\ntransport: stdio\nevents:\n- client: '${exact}'\n`);
    await using opened = await open(browser, report('exact', cassette), '#line-4?tab=Request', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = opened;
    const message = page.getByRole('group', { name: 'Message' });
    expect(await message.textContent()).toContain('"b": 12345678901234567890');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(exact);
    await page.getByRole('button', { name: 'Fold', exact: true }).last().click();
    expect(await message.textContent()).toContain('"arguments": { … }');
  });

  it('is printed whole, and comes back', async () => {
    await using opened = await open(browser, everything, '#?view=sequence');
    const { page } = opened;
    const before = await rows(page).count();
    expect(before).toBeLessThan(100);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('.row').count()).toBe(164);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await rows(page).count()).toBe(before);
    expect((await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(3);
  });
});

it('a page that is printed before it was drawn is printed whole', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(
    'window.DecompressionStream = class { writable = new WritableStream(); readable = new ReadableStream(); }',
  );
  await page.goto(`file://${everything}#?view=sequence`);
  expect(await page.locator('.row').count()).toBe(0);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await page.locator('.row').count()).toBe(164);
  await context.close();
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('all text can be read: at least 4.5 to 1 against what it stands on', async () => {
    await using opened = await open(browser, everything, '#line-599', { colorScheme });
    const { page } = opened;
    expect(await page.evaluate(weakTexts)).toEqual([]);
  });
});

describe('a session with faults', () => {
  it('shows each where it struck, and what never came', async () => {
    const words = ['sessions/faulted.yaml', '--journal', 'sessions/faulted.ndjson'];
    await using opened = await open(browser, report('faulted', ...words), '#?view=sequence');
    const { page } = opened;
    await page.getByRole('button', { name: /faults 4/ }).click();
    expect(await page.locator('.badge.fault').allTextContents()).toEqual([
      '⚡ latency',
      '⚡ wrong-id',
      '⚡ drop',
      '⚡ duplicate',
    ]);
    await page.getByRole('option', { name: /drop/ }).click();
    expect(await page.getByRole('complementary').locator('.card.fault').textContent()).toContain(
      'Rule 2 struck message 11',
    );
    expect(await page.locator('.bar.is-pending').count()).toBeGreaterThan(0);
  });
});

describe('a call that takes long', () => {
  it('is a bar beside all that happens meanwhile, and one that never ends to the end', async () => {
    const said = (side: string, message: object) => `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}`;
    const ask = (id: number) => said('client', { id, method: 'ping' });
    const answer = (id: number) => said('server', { id, result: {} });
    const short = Array.from({ length: 300 }, (_, index) => [ask(index + 10), answer(index + 10)]).flat();
    // More at once than there are lanes: the last is shared with all the short ones.
    const endless = Array.from({ length: 13 }, (_, index) => ask(index + 1_001));
    const events = [ask(1), ...endless, ...short, answer(1), ...short.slice(0, 100)];
    const cassette = file('slow.yaml', `format: mcp-record/1\ntransport: stdio\nevents:\n${events.join('\n')}\n`);
    await using opened = await open(browser, report('slow', cassette), '#?view=sequence');
    const { page } = opened;
    const barsAt = (part: number) =>
      page.locator('.diagram').evaluate(async (diagram, where) => {
        diagram.scrollTop = (diagram.scrollHeight - diagram.clientHeight) * where;
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        const { height } = diagram.getBoundingClientRect();
        const bars = [...diagram.querySelectorAll('.bar')];
        return bars.filter((bar) => bar.getBoundingClientRect().height > height).length;
      }, part);
    expect(await barsAt(0.5)).toBe(14);
    expect(await barsAt(1)).toBe(13);
  });
});

describe('a session over HTTP', () => {
  it('has a lane for each exchange, and shows what was refused', async () => {
    await using opened = await open(browser, report('streams', 'sessions/streams.yaml'), '#?view=sequence');
    const { page } = opened;
    expect(await page.locator('.bar.stream').count()).toBe(9);
    expect(await page.locator('.dot').count()).toBe(await rows(page).count());
    await page.getByRole('button', { name: /failed 1/ }).click();
    expect(await rows(page).first().locator('.sentence').textContent()).toContain('replies 404');
  });
});

describe('two cassettes', () => {
  it('are shown by what differs, with a view of each', async () => {
    const text = readFileSync(EVERYTHING, 'utf8').replace('Echoes back the input string', 'Says the input again');
    const after = file('after.yaml', text);
    await using opened = await open(browser, report('two', EVERYTHING, after));
    const { page } = opened;
    await page.getByRole('button', { name: /differences 1/ }).click();
    expect(await status(page)).toBe('1 of 71 calls');
    await rows(page).first().click();
    const details = page.getByRole('complementary');
    expect(await details.locator('del').textContent()).toBe('"Echoes back the input string"');
    expect(await details.locator('ins').textContent()).toBe('"Says the input again"');
    await page.getByRole('button', { name: EVERYTHING, exact: true }).click();
    expect(await status(page)).toBe('71 calls in 2040 ms');
    expect(new URL(page.url()).hash).toBe('#2/');
  });
});

describe('a call that ends otherwise in the second session', () => {
  const session = (end: string, exit: string) =>
    `format: mcp-record/1
events:
- client: { id: 1, method: tools/call, params: { name: reserve } }
${end}
- exit: ${exit}
`;
  const answered = file('answered.yaml', session('- server: { id: 1, result: { content: [] } }', 'SIGTERM'));
  const cancelled = file(
    'cancelled.yaml',
    session('- client: { method: notifications/cancelled, params: { requestId: 1 } }\n  after: 700', '0'),
  );

  it('is marked in its row, with the words of diff, and counted as one call', async () => {
    await using opened = await open(browser, report('ends', answered, cancelled));
    const { page } = opened;
    expect(await status(page)).toBe('1 of 1 call and 2 other events');
    const cells = (name: string) => rows(page).first().locator(name).textContent();
    expect([await cells('.sign'), await cells('.outcome'), await cells('.axis')]).toEqual([
      '≠',
      '⊘ cancelled, 700 ms',
      'answered → cancelled',
    ]);
    expect(await page.getByText('server asks').count()).toBe(0);
    await rows(page).first().click();
    expect(await page.locator('.card.change').textContent()).toBe(
      'Differs from the first session, line 3answered → cancelled',
    );
    await page.getByRole('tab', { name: 'Result' }).click();
    expect(await page.getByRole('tabpanel').textContent()).toMatch(/^⊘ cancelled, 700 ms.*Before.*"result"/s);
  });

  it('is in both, also if only the second session has its answer', async () => {
    await using opened = await open(browser, report('ends-back', cancelled, answered));
    const row = rows(opened.page).first();
    expect(await row.locator('.sign').textContent()).toBe('≠');
    expect(await row.locator('.axis').textContent()).toBe('cancelled → answered');
  });

  it('has no former answer if the first client closed the stream of the call', async () => {
    const over = (end: string) => `format: mcp-record/1
transport: http
url: https://example.com/mcp
events:
- client:
    id: 1
    method: tools/call
    params: { name: reserve, _meta: { io.modelcontextprotocol/protocolVersion: '2026-07-28' } }
  stream: 1
- ${end}
  stream: 1
`;
    const left = file('left.yaml', over('close: client\n  how: fin'));
    const stayed = file('stayed.yaml', over('server: { id: 1, result: { content: [] } }'));
    await using opened = await open(browser, report('left', left, stayed));
    const { page } = opened;
    expect(await rows(page).first().locator('.axis').textContent()).toBe('cancelled → answered');
    await rows(page).first().click();
    await page.getByRole('tab', { name: 'Result' }).click();
    expect(await page.getByRole('tabpanel').textContent()).not.toMatch(/HTTP|Before/);
  });
});

describe('three cassettes', () => {
  it('are compared with the first, and say what breaks callers', async () => {
    const text = readFileSync(EVERYTHING, 'utf8');
    const same = file('same.yaml', text);
    const renamed = file('renamed.yaml', text.replace('- name: echo\n', '- name: echoes\n'));
    await using opened = await open(browser, report('three', EVERYTHING, same, renamed));
    const { page } = opened;
    expect(await page.getByRole('navigation').getByRole('button').allTextContents()).toEqual([
      `${EVERYTHING} → ${same}`,
      `${EVERYTHING} → ${renamed}`,
      EVERYTHING,
      same,
      renamed,
    ]);
    await page.getByRole('button', { name: `${EVERYTHING} → ${renamed}` }).click();
    await page.getByRole('button', { name: /breaking answers 1/ }).click();
    expect(await rows(page).first().textContent()).toContain('breaking: tool "echo" was ');
    await rows(page).first().click();
    expect(await page.getByRole('complementary').locator('.card.callers').textContent()).toContain(
      'breaking tool "echo"',
    );
  });
});

describe('ten thousand events', () => {
  it('have no more elements in the document than can be seen, wherever one looks', async () => {
    await using opened = await open(browser, report('long', longCassette(10_000)), '#?view=sequence');
    const { page, troubles } = opened;
    expect(await status(page)).toContain('10,000 events');
    for (const part of [0, 0.31, 0.77, 1]) {
      await page.locator('.diagram').evaluate(async (diagram, where) => {
        diagram.scrollTop = diagram.scrollHeight * where;
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
      }, part);
      expect(await rows(page).count()).toBeLessThan(80);
      expect(await page.locator('*').count()).toBeLessThan(1_000);
    }
    await page.getByRole('listbox').press('End');
    expect(await selected(page).getAttribute('aria-posinset')).toBe('10000');
    expect(await selected(page).isVisible()).toBe(true);
    expect(troubles).toEqual([]);
  });
});

/** Texts in sight whose contrast is below that of WCAG 2 AA, with their colours. */
function weakTexts(): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const rgb = (colour: string): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r = 0, g = 0, b = 0]: number[]) => {
    const [x = 0, y = 0, z = 0] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element: Element): number[] => {
    const colour = rgb(getComputedStyle(element).backgroundColor);
    if (colour[3] === 255 || element.parentElement === null) return colour;
    return behind(element.parentElement);
  };
  return [...document.querySelectorAll('body *')].flatMap((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!own || !element.checkVisibility()) return [];
    const [text, ground] = [luminance(rgb(getComputedStyle(element).color)), luminance(behind(element))];
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    return contrast < 4.5 ? [`${element.className} "${element.textContent}" ${contrast.toFixed(2)}`] : [];
  });
}
