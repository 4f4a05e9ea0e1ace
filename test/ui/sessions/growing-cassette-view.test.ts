import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { buildReport } from '../../../src/html-report/data/build-report-data.ts';
import { type ViewHead, viewOf } from '../../../src/html-report/data/lanes/view-with-lanes.ts';
import { type SessionUpdate, withOutcome } from '../../../src/html-report/data/live-page-protocol.ts';
import type { Item } from '../../../src/html-report/data/report-data-types.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { GrowingCassetteView } from '../../../src/ui/sessions/growing-cassette-view.ts';
import { SessionUpdateCursor } from '../../../src/ui/sessions/session-update-cursor.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
let file: string;
let clock: ManualClock;
let count = 0;
beforeEach(() => {
  file = join(folder, `${count++}.yaml`);
  clock = new ManualClock(new Date());
});

/** What a page makes of updates, as the browser does. */
class Page {
  items: Item[] = [];
  head: ViewHead | undefined;
  edition = -1;
  editions = 0;
  hasMore = true;
  readonly #unsent: SessionUpdateCursor;

  constructor(session: GrowingCassetteView) {
    this.#unsent = new SessionUpdateCursor('session.yaml', session);
  }

  take(): SessionUpdate[] {
    const taken: SessionUpdate[] = [];
    for (let next = this.#unsent.next(); next !== undefined; next = this.#unsent.next()) {
      const update: SessionUpdate = JSON.parse(JSON.stringify(next));
      taken.push(update);
      if (update.edition !== this.edition) {
        this.items = [];
        this.editions += 1;
      }
      this.edition = update.edition;
      this.head = update.head ?? this.head;
      this.hasMore = update.hasMore;
      this.items.push(...update.items);
      for (const [position, outcome] of update.outcomes)
        this.items[position] = withOutcome(this.items[position]!, outcome);
    }
    return taken;
  }

  get view() {
    return JSON.parse(JSON.stringify(viewOf(this.head!, this.items)));
  }
}

const reportOf = (path: string) => JSON.parse(JSON.stringify(buildReport([loadCassette(path)]).views[0]));

it.each(['cassettes/everything.yaml', 'cassettes/client-2-auto-modern.yaml', 'test/browser/sessions/faulted.yaml'])(
  'a page that watched %s grow shows what the report of it shows, as does one that came in the middle, or last',
  (path) => {
    const text = readFileSync(path);
    writeFileSync(file, '');
    const session = new GrowingCassetteView(file, clock);
    const first = new Page(session);
    let middle: Page | undefined;
    const step = Math.ceil(text.length / 23);
    for (let at = 0; at < text.length; at += step) {
      appendFileSync(file, text.subarray(at, at + step));
      session.update();
      clock.advance(0);
      first.take();
      if (at > text.length / 2) middle ??= new Page(session);
      middle?.take();
    }
    clock.advance(500);
    const last = new Page(session);
    for (const page of [first, middle!, last]) {
      page.take();
      expect(page.view).toEqual(reportOf(file));
      expect(page.hasMore).toBe(false);
    }
    session.stop();
  },
);

it('a long session comes in many small updates, of which each says that there is more', () => {
  const ping = (id: number) => `- client:\n    id: ${id}\n    method: ping\n`;
  const head = 'format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n';
  writeFileSync(file, head + Array.from({ length: 25_000 }, (_, id) => ping(id)).join(''));
  const session = new GrowingCassetteView(file, clock);
  const page = new Page(session);
  page.take();
  clock.advance(500);
  const updates = page.take();
  expect(Math.max(...updates.map(({ items }) => items.length))).toBeLessThanOrEqual(1_000);
  expect(updates.map(({ hasMore }) => hasMore).lastIndexOf(true)).toBe(updates.length - 2);
  expect(page.items).toHaveLength(25_000);
  // It is too long for the rules of the protocol, which is said.
  expect(page.head?.warnings.at(-1)).toContain('20,000 events');
  expect(page.items.some(({ marks }) => marks)).toBe(false);
});

it('another recording in its place is another edition, and nothing of the first is left', () => {
  copyFileSync('cassettes/everything.yaml', file);
  const session = new GrowingCassetteView(file, clock);
  const page = new Page(session);
  clock.advance(500);
  page.take();
  copyFileSync('cassettes/memory.yaml', file);
  session.update();
  clock.advance(500);
  page.take();
  expect(page.editions).toBe(2);
  expect(page.view).toEqual(reportOf(file));
});

it('tells those who listen, until they stop', () => {
  copyFileSync('cassettes/memory.yaml', file);
  const session = new GrowingCassetteView(file, clock);
  let told = 0;
  const stop = session.onChange(() => (told += 1));
  expect(session.isWatched).toBe(true);
  session.update();
  expect(told).toBe(1);
  stop();
  session.update();
  expect([told, session.isWatched]).toEqual([1, false]);
});
