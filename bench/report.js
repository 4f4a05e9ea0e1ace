/** The report page in a Chromium: how soon a session is seen, and whether anything keeps a finger waiting while it scrolls. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { longCassette } from './long-cassette.js';

export const name = 'report';

const bin = join(import.meta.dirname, '..', 'bin', 'mcp-record.js');

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-report-'));
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const rows = [];
  for (const events of quick ? [1_000] : [1_000, 10_000]) {
    const file = join(folder, `${events}.yaml`);
    const page = join(folder, `${events}.html`);
    writeFileSync(file, longCassette(events));
    const start = performance.now();
    execFileSync(process.execPath, [bin, 'report', file, '-o', page], { stdio: 'ignore' });
    const made = performance.now() - start;
    const seen = [];
    for (let round = 0; round < (quick ? 1 : 9); round++) seen.push(await look(browser, page));
    const median = (pick) => seen.map(pick).sort((a, b) => a - b)[seen.length >> 1];
    const add = (what, unit, page, goal) =>
      rows.push({ what: `${events.toLocaleString('en')} events: ${what}`, unit, values: { page }, goal });
    add('made by the command', 'ms', made);
    add('size', 'KB', statSync(page).size / 1024);
    add(
      'opened until drawn',
      'ms',
      median(({ drawn }) => drawn),
      '< 1000',
    );
    add(
      'elements in the document, most',
      '',
      median(({ elements }) => elements),
    );
    add(
      'a screen of new rows, CPU of the main thread',
      'ms',
      median(({ cpu }) => cpu),
      '< 16',
    );
    add(
      'long tasks in 120 screens, CPU',
      '',
      median(({ long }) => long),
      '0',
    );
    add(
      'long tasks in 120 screens, as the browser tells',
      '',
      median(({ told }) => told),
      '0',
    );
    add(
      'a search of all that was said',
      'ms',
      median(({ search }) => search),
    );
  }
  await browser.close();
  rmSync(folder, { recursive: true });
  return rows;
}

/**
 * Opens the page, jumps through it to another screen each frame, and searches. What scrolling costs is told in time of the
 * processor, since other processes of the machine lengthen all else; so a long task is a frame that takes it for 50 ms. What the
 * browser itself calls a long task is counted beside, by the clock.
 */
async function look(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 850 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`file://${file}#?view=sequence`);
  const drawn = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () =>
          requestAnimationFrame(() => (document.querySelector('.row') ? resolve(performance.now()) : look()));
        look();
      }),
  );
  await page.evaluate(watchLongTasks);
  const cpu = [];
  let elements = 0;
  let before = await busy(session);
  for (let step = 1; step <= FRAMES; step++) {
    const count = await page.evaluate(scroll, step * JUMP_PX);
    const now = await busy(session);
    cpu.push((now - before) * 1_000);
    before = now;
    elements = Math.max(elements, count);
  }
  const told = await page.evaluate(() => globalThis.longTasks());
  const search = await page.evaluate(async () => {
    const input = document.querySelector('input[type=search]');
    const start = performance.now();
    input.value = 'question 1234';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await Promise.resolve();
    return performance.now() - start;
  });
  await page.close();
  const long = cpu.filter((each) => each > 50).length;
  return { drawn, elements, long, told, cpu: cpu.sort((a, b) => a - b)[FRAMES >> 1], search };
}

const FRAMES = 120;

/** So far that no row is drawn already, whatever the length of the session: 120 of these pass 10,000 events once. */
const JUMP_PX = 2_500;

/** Lets `longTasks()` say how many tasks since have taken 50 ms or more, whoever had the processor meanwhile. */
function watchLongTasks() {
  const seen = [];
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({ entryTypes: ['longtask'] });
  globalThis.longTasks = () => seen.concat(observer.takeRecords()).length;
}

async function scroll(distance) {
  const root = document.querySelector('.rows');
  root.scrollTop = distance % (root.scrollHeight - root.clientHeight);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return document.querySelectorAll('*').length;
}

/** Seconds that the main thread of the page has worked. */
async function busy(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}
