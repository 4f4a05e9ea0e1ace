import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { launch, open } from './chromium.ts';
import { EVERYTHING, file, report } from './reports.ts';

/** Where the screenshots of the answers are: `FIVE_QUESTIONS=FOLDER` keeps them, to be looked at. */
const pictures = process.env.FIVE_QUESTIONS ?? temporaryFolder();
const CLICKS_MAX = 3;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/**
 * Returns the text that a person can read in the window: of each line box whose middle is in the window and not covered,
 * in the order of the document.
 */
function readableText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const seen: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const isSeen = [...range.getClientRects()].some(({ left, top, width, height }) => {
        const [x, y] = [left + Math.min(width, 40) / 2, top + height / 2];
        const there = width > 1 && height > 1 && document.elementFromPoint(x, y);
        return there && node!.parentElement!.contains(there);
      });
      if (isSeen) seen.push(node.textContent!);
    }
    return seen.join(' ').replace(/\s+/g, ' ');
  });
}

interface Answer {
  /** Clicked in this order, on what a person sees. */
  clicks(page: Page): Locator[];
  /** What has to be readable then. */
  answer: (string | RegExp)[];
}

const row = (page: Page, text: string | RegExp) => page.getByRole('option').filter({ hasText: text });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Clicks, and returns the text that can be read at the end. What is clicked has to be in the window already. */
async function lookUp(page: Page, name: string, { clicks }: Pick<Answer, 'clicks'>): Promise<string> {
  const steps = clicks(page);
  expect(steps.length).toBeLessThanOrEqual(CLICKS_MAX);
  for (const step of steps) {
    const box = await step.first().boundingBox();
    const { width, height } = page.viewportSize()!;
    expect(box, `${name}: what is clicked is in the window`).toSatisfy(
      (at: typeof box) => at !== null && at.y >= 0 && at.y + at.height <= height && at.x >= 0 && at.x + 20 <= width,
    );
    await step.first().click();
  }
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  return readableText(page);
}

/** The session of `@modelcontextprotocol/server-everything` with a client that tries all of it. */
const QUESTIONS: Record<string, Answer> = {
  'what failed': {
    clicks: (page) => [button(page, /^✗ failed/)],
    answer: [/4 of 71 calls/, /no-such-tool.*✗ error/, /get-sum \{"a":"one"\} ✗ error/, /no\/such-method ✗ error/],
  },
  'what was slowest': {
    clicks: (page) => [button(page, 'Tools'), button(page, 'slowest')],
    // The first row below the names of the columns.
    answer: [/tokens of its definition trigger-long-running-operation .*210 ms.*gzip-file-as-resource .*50 ms/],
  },
  'what did call N return': {
    clicks: (page) => [row(page, 'get-sum').first()],
    answer: ['The sum of 1 and 2.5 is 3.5.'],
  },
  'what did the client answer to the question of the server': {
    clicks: (page) => [button(page, 'server asks 5'), row(page, 'sampling/createMessage')],
    answer: [/5 of 71 calls.*Result.*An answer to .*Say something kind/],
  },
};

it.each(Object.entries(QUESTIONS))('%s: read off the page after at most three clicks', async (name, question) => {
  await using opened = await open(browser, report('five-questions', EVERYTHING));
  const text = await lookUp(opened.page, name, question);
  for (const part of question.answer) expect(text).toMatch(part);
  expect(opened.troubles).toEqual([]);
});

it('text below the window is not readable', async () => {
  await using opened = await open(browser, report('five-questions', EVERYTHING));
  const { page } = opened;
  expect(await page.textContent('body')).toContain('sampling/createMessage');
  expect(await readableText(page)).not.toContain('sampling/createMessage');
});

it('what changed since yesterday: read off the page after at most three clicks', async () => {
  const today = readFileSync(EVERYTHING, 'utf8').replace('Echo: ', 'Echoed: ');
  const words = [EVERYTHING, file('today.yaml', today)];
  await using opened = await open(browser, report('five-questions-changed', ...words));
  const { page, troubles } = opened;
  const text = await lookUp(page, 'what changed since yesterday', { clicks: () => [row(page, '≠')] });
  expect(text).toMatch(/1 difference .*≠ echo \{"message":"hello"\}/);
  expect(text).toMatch(/Echo.*Echoed/);
  expect(troubles).toEqual([]);
});
