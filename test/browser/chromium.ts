import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The Chromium of the system: what CHROMIUM names, or the first of `NAMES` in the PATH. */
export function executable(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const inPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  const found = process.env.CHROMIUM ?? inPath;
  if (found === undefined) throw new Error('There is no Chromium: install chromium, or name one in CHROMIUM.');
  return found;
}

/** The first is what Playwright starts by itself: the same engine without the windows, whose start takes 0.7 s of a processor each. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

export function launch(): Promise<Browser> {
  // A container has no namespaces to build a sandbox of, and /dev/shm is small there.
  return chromium.launch({ executablePath: executable(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page of a report on the disk, and what went wrong or left the file while it was looked at. */
export interface Opened extends AsyncDisposable {
  page: Page;
  /** Errors, refusals by the policy, dialogs, and requests for anything but the file. */
  troubles: string[];
}

/** Opens the report at `file`, at `hash`, in a window of its own. */
export async function open(
  browser: Browser,
  file: string,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const opened = await openUrl(browser, `file://${file}${hash}`, options);
  await opened.page.locator('[role=status]:not(:empty)').waitFor();
  return opened;
}

/** Opens a page in a window of its own. What it loads has to begin as its own address does, or with `within`. */
export async function openUrl(
  browser: Browser,
  url: string,
  { within, ...options }: BrowserContextOptions & { within?: string } = {},
): Promise<Opened> {
  const own = within ?? url.replace(/[?#].*$/s, '');
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => troubles.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) troubles.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, troubles, [Symbol.asyncDispose]: () => context.close() };
}
