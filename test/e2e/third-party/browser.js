#!/usr/bin/env node
/**
 * `browser.js URL`: a browser whose user agrees to everything. It adds the URL to the file that `BROWSER_LOG` names. A client may
 * open it before it listens for the redirect: the user reloads the page for ten seconds.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const RELOADS_MAX = 100;
const RELOAD_AFTER_MS = 100;

const [, , url] = process.argv;
appendFileSync(process.env.BROWSER_LOG, `${url}\n`);
const page = await fetch(url, { redirect: 'manual' });
const location = page.headers.get('location');
for (let reloads = 0; location && reloads < RELOADS_MAX; reloads++) {
  const shown = await fetch(location).catch(() => undefined);
  if (shown !== undefined) break;
  await setTimeout(RELOAD_AFTER_MS);
}
