import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { findings } from './axe.ts';
import { launch, type Opened, openUrl } from './chromium.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder();
const viewer = join(folder, 'viewer.html');

let browser: Browser;
beforeAll(async () => {
  run(folder, 'report', '--viewer', '-o', viewer);
  browser = await launch();
});
afterAll(() => browser.close());

function run(cwd: string, ...words: string[]): void {
  const { command, args } = mcpRecord(...words);
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Opens the viewer from the disk. Its worker, whose script it has itself, is no request. */
async function openViewer(options: BrowserContextOptions = {}): Promise<Opened> {
  const opened = await openUrl(browser, `file://${viewer}`, options);
  await opened.page.getByRole('button', { name: 'Choose files' }).waitFor();
  return opened;
}

const noTrouble = ({ troubles }: Opened) =>
  expect(troubles.filter((trouble) => !/^request: (?:blob|data):/.test(trouble))).toEqual([]);

const choose = (page: Page, ...files: string[]) => page.locator('input[type=file]').setInputFiles(files);
const statusOf = (page: Page) => page.locator('#page [role=status]:not(:empty)');
const file = (name: string, text: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const head = 'format: mcp-record/1\ntransport: stdio\nevents:\n';

/** Drops files or folders of the disk, as the browser hears it from the system. */
async function drop(page: Page, ...paths: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
}

/** All rows of each view, as they are printed: on the screen, their number depends on the height of the list. Then a call. */
async function shownBy(page: Page): Promise<string[]> {
  await statusOf(page).waitFor();
  const shown: string[] = [await page.title()];
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  for (const key of ['1', '2', '3']) {
    await page.keyboard.press(key);
    shown.push(await page.locator('#page').innerHTML());
  }
  for (const key of ['1', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  shown.push(await page.locator('#page').innerHTML());
  // A row that had a place on the screen keeps an attribute without a value.
  return shown.map((html) => html.replaceAll(' style=""', ''));
}

describe('the report of a dropped cassette is the one that the command line writes:', () => {
  const folders = ['cassettes', 'test/browser/sessions', 'test/fixtures'];
  const cassettes = folders
    .flatMap((name) => readdirSync(join(root, name)).map((one) => join(name, one)))
    .filter((path) => path.endsWith('.yaml') && !path.endsWith('.mock.yaml'));

  it('there are cassettes', () => expect(cassettes.length).toBeGreaterThan(8));

  it.each(cassettes)('%s', async (cassette) => {
    const path = join(root, cassette);
    const report = join(folder, 'report.html');
    run(dirname(path), 'report', basename(path), '-o', report);
    await using written = await openUrl(browser, `file://${report}`);
    await using opened = await openViewer();
    await choose(opened.page, path);
    expect(await shownBy(opened.page)).toEqual(await shownBy(written.page));
    noTrouble(opened);
  });
});

describe('several files', () => {
  const [older, newer] = ['client-2-default.yaml', 'client-2-auto.yaml'].map((name) => join(root, 'cassettes', name));

  it('are compared as on the command line, the older with the newer, but for the check that the page names', async () => {
    const report = join(folder, 'changes.html');
    run(join(root, 'cassettes'), 'report', basename(older!), basename(newer!), '-o', report);
    await using written = await openUrl(browser, `file://${report}`);
    await using opened = await openViewer();
    await choose(opened.page, newer!, older!);
    const note =
      '<p class="warning">This page does not check whether definitions of tools are still valid: mcp-record diff does.</p>';
    const shown = await shownBy(opened.page);
    expect(shown[1]).toContain(note);
    expect(shown.map((html) => html.replace(note, ''))).toEqual(await shownBy(written.page));
    noTrouble(opened);
  });

  it('are opened although one of them cannot be', async () => {
    await using opened = await openViewer();
    const mock = join(root, 'test/fixtures/weather.mock.yaml');
    await choose(opened.page, older!, mock);
    await opened.page.getByRole('alert').getByText('[CASSETTE_NOT_RECOGNIZED]').waitFor();
    expect(await opened.page.locator('#page h1').textContent()).toBe(basename(older!));
    await drop(opened.page, newer!);
    await opened.page.locator('#page h1', { hasText: basename(newer!) }).waitFor();
    expect(await opened.page.getByRole('alert').count()).toBe(0);
    noTrouble(opened);
  });
});

describe('what is no cassette is named, with the code and the next step:', () => {
  const large = Buffer.alloc(200 * 1024 * 1024, 'a: b\n');
  it.each([
    ['text', 'hello: world\n', /hello\.yaml[\s\S]*\[CASSETTE_NOT_RECOGNIZED\][\s\S]*A cassette is a YAML file with/],
    ['no YAML', '{{{: ]]\n', /\[CASSETTE_NOT_RECOGNIZED\]/],
    ['an empty file', '', /the file is empty \[CASSETTE_EMPTY\][\s\S]*record again/],
    [
      'a newer format',
      head.replace('/1', '/9'),
      /format mcp-record\/9[\s\S]*\[CASSETTE_NEWER_FORMAT\][\s\S]*mcp-record@latest/,
    ],
    [
      'a broken event',
      `${head}- client: {a: [}\n`,
      /\[CASSETTE_DAMAGED\]\s*hello\.yaml:4:\d+\s*- client: \{a: \[\}\s*Mend the line/,
    ],
    ['a merge conflict', `${head}<<<<<<< HEAD\n- client: {}\n`, /\[CASSETTE_MERGE_CONFLICT\]/],
    ['an unknown field', `${head}- nobody: {}\n`, /\[CASSETTE_BAD_EVENT\]/],
    ['a picture', readFileSync(join(root, 'docs/report/calls.png')), /it is not text \[CASSETTE_NOT_RECOGNIZED\]/],
    ['200 MB', large, /it has 209715200 bytes[\s\S]*\[CASSETTE_TOO_LARGE\][\s\S]*mcp-record cut/],
    ['100 MB of something else', large.subarray(0, 100 * 1024 * 1024), /\[CASSETTE_NOT_RECOGNIZED\]/],
    [
      'aliases that grow',
      `${head}- client: {a: &a [1,1,1,1,1,1,1,1,1,1], b: &b [${Array(99).fill('*a')}], c: [${Array(999).fill('*b')}]}\n`,
      /\[CASSETTE_DAMAGED\]/,
    ],
    ['deep nesting', `${head}- client: {"id":1,"method":${'['.repeat(100_000)}\n`, /\[CASSETTE_DAMAGED\]/],
  ] as const)('%s', async (_, content, said) => {
    await using opened = await openViewer();
    const { page } = opened;
    await choose(page, file('hello.yaml', content as Buffer));
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(said);
    expect(await page.locator('#page').innerHTML()).toBe('');
    noTrouble(opened);
  });

  it('a mock file', async () => {
    await using opened = await openViewer();
    await drop(opened.page, join(root, 'test/fixtures/weather.mock.yaml'));
    await opened.page.getByText('It is a mock file: serve it with mcp-record mock').waitFor();
    noTrouble(opened);
  });

  it('a folder', async () => {
    await using opened = await openViewer();
    await drop(opened.page, join(root, 'cassettes'));
    const said = await opened.page.getByRole('alert').textContent();
    expect(said).toMatch(
      /Cannot read cassette cassettes: it is a directory \[CASSETTE_IS_DIRECTORY\]\s*Open the folder/,
    );
    noTrouble(opened);
  });
});

it('a recording that was cut off is opened, and says so', async () => {
  await using opened = await openViewer();
  const whole = readFileSync(join(root, 'cassettes/memory.yaml'), 'utf8');
  await choose(opened.page, file('torn.yaml', whole.slice(0, whole.length / 2)));
  await opened.page.getByText('The recording was cut off: it has no end.').waitFor();
  noTrouble(opened);
});

it('no request leaves the page, whatever asks for one', async () => {
  const requests: string[] = [];
  // Nothing in the page says when a beacon has arrived.
  let beaconArrived = () => {};
  const beacon = new Promise<void>((resolve) => (beaconArrived = resolve));
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    if (url === '/beacon') beaconArrived();
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The same requests leave a page without the policy: the test would see them.
  const open = file('open.html', '<!doctype html><title>open</title>');
  const asks = async (page: Page) =>
    page.evaluate(async (target) => {
      const url = URL.createObjectURL(
        new Blob([`fetch('${target}/worker').then(() => postMessage(1), () => postMessage(0))`]),
      );
      const worker = await new Promise<unknown>((resolve) => {
        try {
          const policies = (
            window as unknown as {
              trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
            }
          ).trustedTypes;
          const worker = new Worker(
            policies.createPolicy('test', { createScriptURL: (one: string) => one }).createScriptURL(url),
          );
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = () => resolve('error');
        } catch (error) {
          resolve(String(error));
        }
      });
      const fetched = await fetch(`${target}/fetch`).then(
        () => 1,
        () => 0,
      );
      const image = await new Promise<unknown>((resolve) => {
        const one = new Image();
        one.onload = one.onerror = resolve;
        one.src = `${target}/image`;
      });
      navigator.sendBeacon(`${target}/beacon`);
      return { worker, fetched, image: image !== undefined };
    }, origin);
  {
    await using opened = await openUrl(browser, `file://${open}`);
    await asks(opened.page);
    await beacon;
    expect(requests.sort()).toEqual(['/beacon', '/fetch', '/image', '/worker']);
    requests.length = 0;
  }
  await using opened = await openViewer();
  await choose(opened.page, join(root, 'cassettes/memory.yaml'));
  await statusOf(opened.page).waitFor();
  noTrouble(opened);
  const refused = opened.page.evaluate(
    async () =>
      new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
          if (blockedURI.endsWith('/beacon')) resolve(blockedURI);
        }),
      ),
  );
  const { worker, fetched } = await asks(opened.page);
  expect(await refused).toBe(`${origin}/beacon`);
  expect(String(worker)).toContain('Policy "test" disallowed');
  expect(fetched).toBe(0);
  expect(requests).toEqual([]);
  server.close();
});

it('the worker that reads files cannot send anything either', async () => {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using opened = await openViewer();
  const { page } = opened;
  const started = page.waitForEvent('worker');
  // Reading takes long enough to ask the worker something.
  await choose(page, file('slow.yaml', slowCassette()));
  const worker = await started;
  const fetched = await worker.evaluate(
    (target) =>
      fetch(target).then(
        () => 'sent',
        (error: Error) => error.message,
      ),
    origin,
  );
  expect([fetched, requests]).toEqual(['Failed to fetch', []]);
  server.close();
});

/** A cassette that the fast reader leaves to the other one, which takes long. */
function slowCassette(): string {
  return (
    head +
    '- client: {"jsonrpc":"2.0","method":"notifications/message","params":{"a":[1,2,3,4,5,6,7,8,9]}}\n'.repeat(60_000)
  );
}

it('a file that takes long leaves the page usable, and can be given up', async () => {
  await using opened = await openViewer();
  const { page } = opened;
  await choose(page, file('slow.yaml', slowCassette()));
  await page.getByRole('progressbar', { name: 'Reading slow.yaml' }).waitFor();
  // A frame is drawn while the worker reads.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByRole('progressbar').count()).toBe(0);
  await choose(page, join(root, 'cassettes/memory.yaml'));
  await page.locator('#page h1', { hasText: 'memory.yaml' }).waitFor();
  noTrouble(opened);
});

it('what a stranger wrote is only ever shown', async () => {
  const attacks = [
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    'javascript:alert(1)',
    '\u202egnp.exe',
  ];
  await using opened = await openViewer();
  const { page } = opened;
  for (const attack of attacks) {
    const events = [
      { client: { id: 1, method: 'tools/call', params: { name: attack, arguments: { [attack]: attack } } } },
      { server: { id: 1, result: { content: [{ type: 'text', text: `# ${attack}` }] } } },
    ];
    const lines = events.map((event) => `- ${JSON.stringify(event)}\n`).join('');
    await choose(page, file('attack.yaml', `${head}${lines}`));
    await page.locator('#page h1', { hasText: 'attack.yaml' }).waitFor();
    for (const key of ['1', '2', '3', '1', 'ArrowDown']) await page.keyboard.press(key);
    expect(await page.locator('a, iframe, object, embed, form, svg, img, [onerror], [onload]').count()).toBe(0);
    // In an error, too.
    await choose(page, file('attack.yaml', `${head}- client: {${attack}: [}\n`));
    await page.getByRole('alert').waitFor();
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('body').textContent()).not.toContain('\u202e');
  }
  noTrouble(opened);
});

describe('the page can be used', () => {
  it('with keys alone', async () => {
    await using opened = await openViewer();
    const { page } = opened;
    const chosen = page.waitForEvent('filechooser');
    await page.keyboard.press('Tab');
    // The browser has answered since it was told that the choice of files is taken over here.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose files');
    await page.keyboard.press('Enter');
    await (await chosen).setFiles(join(root, 'cassettes/everything.yaml'));
    await statusOf(page).waitFor();
    // The keys of a report are those of this one, and its bar has one stop before them.
    await page.keyboard.press('2');
    await page.locator('.diagram').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    noTrouble(opened);
  });

  it.each([
    [420, 'light'],
    [1440, 'light'],
    [420, 'dark'],
    [1440, 'dark'],
  ] as const)('at %i pixels, in %s colours: axe finds nothing, and nothing is cut off', async (width, colorScheme) => {
    await using opened = await openViewer({ viewport: { width, height: 850 }, colorScheme });
    const { page } = opened;
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    const found = async () => [...(await findings(page)), ...((await isWide()) ? ['wider than the screen'] : [])];
    expect(await found()).toEqual([]);
    await choose(page, join(root, 'test/fixtures/weather.mock.yaml'));
    await page.getByRole('alert').waitFor();
    expect(await found()).toEqual([]);
    await choose(page, join(root, 'cassettes/everything.yaml'), join(root, 'test/fixtures/weather.mock.yaml'));
    await statusOf(page).waitFor();
    expect(await found()).toEqual([]);
  });
});
