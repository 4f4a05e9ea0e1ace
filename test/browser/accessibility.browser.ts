import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings } from './axe.ts';
import { launch, open } from './chromium.ts';
import { EVERYTHING, file, report } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** What assistive technology is told of one element. */
interface Node {
  role: string;
  name: string;
  live?: string;
  focusable: boolean;
}

/** The tree that Chromium gives to assistive technology, without what it leaves out. */
async function treeOf(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => {
      const property = (wanted: string) => properties.find((one) => one.name === wanted)?.value.value;
      return {
        role: String(role?.value),
        name: String(name?.value ?? ''),
        ...(property('live') && { live: String(property('live')) }),
        focusable: property('focusable') === true,
      };
    });
}

const PAGES: [name: string, make: () => string, hash: string][] = [
  ['a session with a call open', () => report('a11y-session', EVERYTHING), '#line-599'],
  ['a session over HTTP', () => report('a11y-streams', 'sessions/streams.yaml'), '#line-22?view=sequence'],
  ['two sessions that differ', () => report('a11y-two', EVERYTHING, file('renamed.yaml', renamed())), ''],
];

function renamed(): string {
  return readFileSync(EVERYTHING, 'utf8').replace('- name: echo\n', '- name: echoes\n');
}

/** Every state that the page can be in, by its address. */
const STATES: readonly [name: string, hash: string, press?: string][] = [
  ['calls', ''],
  ['calls, zoomed, with a search', '#?q=echo+-ping&ms=500-900'],
  ['a search that is wrong', '#?q=foo%3Abar'],
  ['a search without a hit', '#?q=xyzzy'],
  ['calls folded', '#?view=sequence', 'Folded'],
  ['the sequence', '#line-599?view=sequence'],
  ['tools', '#?view=tools'],
  ['a picture', '#line-667'],
  ['a request', '#line-599?tab=Request'],
  ['messages', '#line-716?tab=Messages'],
  ['a schema', '#line-599?tab=Schema'],
  ['YAML', '#line-599?tab=YAML'],
  ['keys', '', 'Keys and searches'],
];

/** Rows are alike: some of them will do. */
const AXE_HEIGHT = 600;

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('axe finds nothing wrong, in no state and at no width', async () => {
    const session = report('a11y-session', EVERYTHING);
    await using opened = await open(browser, session, '', { colorScheme });
    const { page } = opened;
    const found: string[] = [];
    for (const [name, hash, press] of STATES) {
      await page.goto('about:blank');
      await page.goto(`file://${session}${hash}`);
      await page.locator('[role=status]:not(:empty)').waitFor();
      if (press) await page.getByRole('button', { name: press, exact: true }).click();
      for (const width of hash === '' || hash.endsWith('599') ? [420, 1024, 1440] : [1024]) {
        await page.setViewportSize({ width, height: AXE_HEIGHT });
        // Of all that axe looks at, colours alone depend on the scheme.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : [];
        found.push(...(await findings(page, ...rules)).map((finding) => `${name}, ${width}: ${finding}`));
      }
    }
    expect(found).toEqual([]);
  });
});

it('axe finds nothing wrong with two sessions, and with one over HTTP that has faults', async () => {
  const changed = report('a11y-two', EVERYTHING, file('renamed.yaml', renamed()));
  const faulted = report('a11y-faults', 'sessions/faulted.yaml', '--journal', 'sessions/faulted.ndjson');
  for (const [path, hash] of [
    [changed, '#line-124'],
    [changed, '#?view=sequence'],
    [faulted, '#line-501'],
    [faulted, '#?view=sequence'],
  ]) {
    await using opened = await open(browser, path!, hash, { viewport: { width: 1360, height: AXE_HEIGHT } });
    expect(await findings(opened.page)).toEqual([]);
  }
});

describe.each(PAGES)('%s', (_, make, hash) => {
  it('names everything that can be focused, pressed or chosen', async () => {
    await using opened = await open(browser, make(), hash);
    const tree = await treeOf(opened.page);
    const isInteractive = ({ role, focusable }: Node) =>
      role !== 'RootWebArea' && (focusable || ['button', 'option', 'listbox', 'combobox', 'tab'].includes(role));
    const interactive = tree.filter(isInteractive);
    expect(interactive.length).toBeGreaterThan(20);
    expect(interactive.filter(({ name }) => name.trim() === '')).toEqual([]);
  });

  it('says who stands on either side, and of each event the line, the way and what came of it', async () => {
    await using opened = await open(browser, make(), hash);
    const tree = await treeOf(opened.page);
    const list = tree.find(({ role }) => role === 'listbox');
    expect(list?.name).toMatch(
      /^(?:Calls of (?:the session|two sessions)|Events of the session: client .+, server .+)/,
    );
    const rows = tree.filter(({ role }) => role === 'option');
    for (const { name } of rows)
      expect(name).toMatch(/^Line \d+, \d+\.\d{3} seconds, (?:client to server|server to client): [\w-]+ /);
  });

  it.each(['light', 'dark'] as const)('moves nothing by itself, in %s colours', async (colorScheme) => {
    await using opened = await open(browser, make(), hash, { colorScheme, reducedMotion: 'reduce' });
    const moving = await opened.page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
        const isStill = transitionDuration === '0s' && animationName === 'none' && scrollBehavior === 'auto';
        return isStill ? [] : [element.className];
      }),
    );
    expect(moving).toEqual([]);
  });
});

it('an event over HTTP says which exchange carried it', async () => {
  await using opened = await open(browser, report('a11y-streams', 'sessions/streams.yaml'), '#?view=sequence');
  const rows = (await treeOf(opened.page)).filter(({ role }) => role === 'option');
  expect(rows.filter(({ name }) => /, stream \d+/.test(name)).length).toBe(rows.length);
});

it('a filter says what it leaves, without taking the focus', async () => {
  await using opened = await open(browser, report('a11y-session', EVERYTHING));
  const { page } = opened;
  await page.keyboard.press('/');
  await page.keyboard.type('tool:echo');
  const region = (await treeOf(page)).find(({ role }) => role === 'status');
  expect(region?.live).toBe('polite');
  expect(await page.getByRole('status').textContent()).toBe('19 of 71 calls in 2040 ms');
  expect(await page.getByRole('combobox').evaluate((search) => search === document.activeElement)).toBe(true);
});

it('Tab reaches every tool, then the events, then what is said of one, and each can be seen to have the focus', async () => {
  await using opened = await open(browser, report('a11y-session', EVERYTHING), '#line-599');
  const { page } = opened;
  const stops: string[] = [];
  const outlines: string[] = [];
  for (let step = 0; step < 16; step++) {
    await page.keyboard.press('Tab');
    const [name, outline] = await page.evaluate(() => {
      const { activeElement } = document;
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement!);
      return [
        activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '',
        `${outlineStyle} ${outlineWidth}`,
      ];
    });
    stops.push(name!);
    outlines.push(outline!);
  }
  const place = (wanted: RegExp) => stops.findIndex((name) => wanted.test(name));
  const order = [
    /^Search events/,
    /failed/,
    /^Calls$/,
    /^Sequence$/,
    /^Tools$/,
    /^Keys and searches$/,
    /^Calls of the session/,
    /^Close the details$/,
    /^Copy link$/,
    /^Result$/,
  ].map(place);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(new Set(outlines)).toEqual(new Set(['solid 2px']));
});
