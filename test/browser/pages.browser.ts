import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { record, replay, serve } from '../e2e/http/processes.ts';
import { launch } from './chromium.ts';

let browser: Browser;
let folder: string;
let script: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-pages-'));
  [browser, script] = await Promise.all([launch(), bundled(join(import.meta.dirname, 'pages', 'client.js'))]);
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

async function bundled(input: string): Promise<string> {
  const bundle = await rolldown({ input, platform: 'browser', checks: { ineffectiveDynamicImport: false } });
  const { output } = await bundle.generate({ format: 'iife', name: 'client' });
  return output[0].code;
}

/** A web page of an origin of its own. */
async function page() {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><script>${script}</script>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const opened = await context.newPage();
  await opened.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  return {
    /** What a client in the page sees of the server at `url`. */
    sees: (url: URL): Promise<unknown> =>
      opened.evaluate((href) => (globalThis as unknown as { client: Client }).client.see(href), url.href),
    async [Symbol.asyncDispose]() {
      await context.close();
      site.closeAllConnections();
      site.close();
    },
  };
}

interface Client {
  see(url: string): Promise<unknown>;
}

const server = (form: string) =>
  serve({ command: process.execPath, args: [join(import.meta.dirname, 'pages', 'server.js'), form] }, '/mcp');

it.each(['json', 'sse', 'stateless'])('a page sees the same of a server, recorded and replayed: %s', async (form) => {
  await using client = await page();
  await using live = await server(form);
  const direct = await client.sees(live.url);
  expect(direct).toMatchObject({
    tools: ['echo'],
    said: 'hello',
    unknown: expect.stringContaining('-32602'),
  });

  const output = join(folder, form);
  await using recorder = await record(live.url, `${output}/`);
  expect(await client.sees(recorder.url)).toEqual(direct);
  expect((await recorder.stop()).status).toBe(0);
  const files = readdirSync(output);
  expect(files).toHaveLength(1);
  expect(recorder.said.join('\n')).toContain(`recording to ${join(output, files[0]!)}`);
  expect(readFileSync(join(output, files[0]!), 'utf8')).not.toContain('OPTIONS');

  for (const faults of [[], ['--fault', 'latency:tools/call:delay=1']]) {
    await using mock = await replay(`${output}/`, ...faults);
    for (const _time of [1, 2]) expect(await client.sees(mock.url)).toEqual(direct);
    expect((await mock.stop()).status).toBe(0);
  }
});
