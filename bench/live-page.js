/**
 * The live page in a Chromium: how long an event takes from the file to the page while a recorder writes a thousand a second, whether
 * anything keeps a finger waiting meanwhile, and how soon a long cassette is seen.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { endText } from '../dist/cassette/write/format-event.js';
import { LineClient } from './line-client.js';
import { median } from './measure.js';
import { HEADER, recordedEvents } from './recorded-session.js';
import { UnobservedPage } from './unobserved-page.js';

export const name = 'live-page';

const bin = join(import.meta.dirname, '..', 'bin', 'mcp-record.js');
const EVENTS_PER_SECOND = 1_000;
/** So often what came is written, as a recorder writes what one turn of its event loop has. */
const WRITE_MS = 10;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-live-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const server = spawn(process.execPath, [bin, 'ui', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [url] = await new Promise((resolve) => createInterface(server.stdout).once('line', (line) => resolve([line])));
  const rows = [];
  const add = (what, unit, page, goal) => rows.push({ what, unit, values: { page }, goal });
  try {
    const count = quick ? 2_000 : 10_000;
    const { delays, tasks, told } = await grow(browser, { url, folder, count });
    const sorted = [...delays].sort((a, b) => a - b);
    const part = (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    const of = `${count.toLocaleString('en')} events at ${EVENTS_PER_SECOND} a second`;
    add(`${of}: in the file until on the page, p50`, 'ms', part(0.5));
    add(`${of}: p95`, 'ms', part(0.95), '< 250');
    add(`${of}: longest task, CPU`, 'ms', Math.max(...tasks), '< 50');
    add(`${of}: tasks over 50 ms, CPU`, '', tasks.filter((each) => each > 50).length, '0');
    add(`${of}: long tasks, as the browser tells`, '', told);
    const { watched, elsewhere, alone } = await recording(browser, { url, folder, rounds: quick ? 4 : 20 });
    rows.push({
      what: 'a recorded call, about 1,000 events a second, p50',
      unit: 'µs',
      values: { page: watched, 'page of another': elsewhere, 'no page': alone },
      ratio: watched / elsewhere,
      goal: '≤ 1.1',
    });
    for (const length of quick ? [10_000] : [10_000, 100_000]) {
      const { first, all } = await open(browser, { url, folder, length });
      add(`${length.toLocaleString('en')} events: opened until the first rows are drawn`, 'ms', first);
      add(`${length.toLocaleString('en')} events: until all are on the page`, 'ms', all, '< 2000');
    }
  } finally {
    server.kill();
    await browser.close();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

/** Adds events to a cassette that a page shows. The page notes when it has drawn how many. */
async function grow(browser, { url, folder, count }) {
  const file = join(folder, 'growing.yaml');
  const events = recordedEvents(count);
  writeFileSync(file, HEADER + events[0]);
  const page = await browser.newPage({ viewport: { width: 1360, height: 850 } });
  const session = await page.context().newCDPSession(page);
  await page.goto(`${url}?session=growing.yaml#?view=sequence`);
  await page.locator('.row').first().waitFor();
  await page.evaluate(watch);
  const tracing = await traceTasks(session);
  const written = [];
  let sent = 1;
  for (const start = Date.now(); sent < count; await wait(WRITE_MS)) {
    const due = Math.min(count, 1 + Math.floor(((Date.now() - start) * EVENTS_PER_SECOND) / 1_000));
    if (due === sent) continue;
    appendFileSync(file, events.slice(sent, due).join(''));
    written.push([due, Date.now()]);
    sent = due;
  }
  await page.waitForFunction((all) => globalThis.seen.at(-1)?.[0] >= all, count);
  const { seen, told } = await page.evaluate(() => ({ seen: globalThis.seen, told: globalThis.longTasks() }));
  const tasks = await tracing();
  await page.close();
  // Each event counts, by when the write that had it was done.
  const delays = [];
  let at = 0;
  let before = 1;
  for (const [due, when] of written) {
    while (seen[at][0] < due) at++;
    for (; before < due; before++) delays.push(seen[at][1] - when);
  }
  return { delays, tasks, told };
}

/** Calls in a round, and the pause after each. */
const CALLS = 100;
const PAUSE_MS = 1;
/** After this time without events, a page has drawn and checked a session. */
const SETTLED_MS = 800;

/**
 * How long a call takes through a recorder whose session a page shows, and through one that nobody watches. A browser that draws takes
 * the processor from all, so that there are two of the latter, in turns: while a page draws another session that grows as fast, and while
 * no page draws. Each has a recorder of its own, all with as many calls: V8 makes a program faster that has done more.
 */
async function recording(browser, { url, folder, rounds }) {
  const elsewhere = mkdtempSync(join(tmpdir(), 'mcp-record-bench-live-'));
  const answers = join(import.meta.dirname, '..', 'test', 'fixtures', 'answers.js');
  const recorder = (file) => new LineClient([bin, 'record', '-o', file, '--', process.execPath, answers]);
  const clients = {
    watched: recorder(join(folder, 'recorded.yaml')),
    elsewhere: recorder(join(elsewhere, 'recorded.yaml')),
    alone: recorder(join(elsewhere, 'alone.yaml')),
  };
  const other = join(folder, 'other.yaml');
  const events = recordedEvents(2 * (1 + rounds) * CALLS);
  let fed = 1;
  writeFileSync(other, HEADER + events[0]);
  const feed = () => {
    appendFileSync(other, events.slice(fed, fed + 2).join(''));
    fed += 2;
  };
  let id = 0;
  const round = async (client, after = () => {}) => {
    const times = [];
    for (let n = 0; n < CALLS; n++) {
      const start = performance.now();
      await client.ask(++id);
      times.push((performance.now() - start) * 1_000);
      after();
      await wait(PAUSE_MS);
    }
    // The pages draw what came last, and check it.
    await wait(SETTLED_MS);
    return times;
  };
  for (const client of Object.values(clients)) await round(client);
  const pages = [];
  for (const session of ['recorded', 'other']) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 850 } });
    await page.goto(`${url}?session=${session}.yaml#?view=sequence`);
    await page.locator('.row').first().waitFor();
    pages.push(page);
  }
  const contenders = {
    watched: () => round(clients.watched),
    elsewhere: () => round(clients.elsewhere, feed),
    alone: () => round(clients.alone),
  };
  const times = { watched: [], elsewhere: [], alone: [] };
  const names = Object.keys(contenders);
  for (let n = 0; n < rounds; n++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(n + turn) % names.length];
      times[name].push(...(await contenders[name]()));
    }
  }
  for (const page of pages) await page.close();
  for (const client of Object.values(clients)) {
    client.child.stdin.end();
    await client.ended;
  }
  rmSync(elsewhere, { recursive: true });
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

/** In the page: notes when the number of events that it says has changed, once that is painted. */
function watch() {
  globalThis.seen = [];
  const status = document.querySelector('.head .status');
  const note = () => {
    const shown = Number(/^[\d,]+/.exec(status.textContent)[0].replaceAll(',', ''));
    // The end of the row list is in sight: the last row is in the document.
    const last = document.querySelector(`#row-${shown - 1}`);
    if (last) requestAnimationFrame(() => globalThis.seen.push([shown, Date.now()]));
  };
  new MutationObserver(note).observe(status, { childList: true, characterData: true, subtree: true });
  const long = [];
  const observer = new PerformanceObserver((list) => long.push(...list.getEntries()));
  observer.observe({ entryTypes: ['longtask'] });
  globalThis.longTasks = () => long.concat(observer.takeRecords()).length;
}

/** Traces the tasks of the main thread of the page, each in ms of the processor. */
async function traceTasks(session) {
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    categories: 'toplevel,disabled-by-default-devtools.timeline',
  });
  return async () => {
    const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await done;
    const main = events.find(({ name: what, args }) => what === 'thread_name' && args.name === 'CrRendererMain');
    const tasks = events.filter(
      ({ name: what, tid, pid }) => /RunTask/.test(what) && tid === main.tid && pid === main.pid,
    );
    return tasks.map(({ tdur = 0 }) => tdur / 1_000);
  };
}

/** So often the list is searched for a cassette. */
const LIST_MS = 100;

/** Opens a cassette of a length that is there already. */
async function open(browser, { url, folder, length }) {
  const name = `${length}.yaml`;
  const events = recordedEvents(length);
  writeFileSync(join(folder, name), HEADER + events.join('') + endText('complete'));
  const calls = events.filter((text) => /^\w+:\n.*\n {4}id: .*\n {4}method: /.test(text)).length;
  const page = await UnobservedPage.open(browser, url);
  const isListed = ([file, count]) =>
    [...document.querySelectorAll('tr')].some(
      ({ textContent }) => textContent.includes(file) && textContent.includes(count),
    );
  while (!(await page.evaluate(isListed, [name, length.toLocaleString('en')]))) await wait(LIST_MS);
  const times = await page.evaluate(
    ([link, all]) =>
      new Promise((resolve) => {
        const start = performance.now();
        let first;
        const look = () => {
          const text = document.querySelector('.head .status')?.textContent ?? '';
          if (first === undefined && document.querySelector('.row')) first = performance.now() - start;
          if (text.startsWith(all)) return resolve({ first, all: performance.now() - start });
          requestAnimationFrame(look);
        };
        [...document.querySelectorAll('a')].find(({ textContent }) => textContent === link).click();
        look();
      }),
    [name, `${calls.toLocaleString('en')} calls`],
  );
  await page.close();
  return times;
}
