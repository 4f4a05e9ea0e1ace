import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tool } from '../../src/adapters/mock.ts';
import { playwrightEndpoint } from '../../src/adapters/playwright.ts';
import { launch } from '../browser/chromium.ts';

const URL_OF_MCP = 'https://mcp.example.com/mcp';

/** A page with the official client, which calls a tool of a server elsewhere. */
const APP = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
window.callTool = async (name, args) => {
  const client = new Client({ name: 'page', version: '1.0.0' }, { capabilities: { sampling: {} } });
  await client.connect(new StreamableHTTPClientTransport(new URL('${URL_OF_MCP}')));
  const seen = [];
  try {
    const { content } = await client.callTool({ name, arguments: args }, undefined, { onprogress: ({ progress }) => seen.push(progress) });
    return [...seen, content[0].text].join(' ');
  } catch (error) {
    return 'failed';
  } finally {
    await client.close();
  }
};
`;

let browser: Browser;
let page: Page;
const app = createServer();

beforeAll(async () => {
  const entry = 'virtual:app';
  const bundle = await rolldown({
    input: entry,
    cwd: join(import.meta.dirname, '..', '..'),
    platform: 'browser',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === entry ? join(import.meta.dirname, 'app.js') : undefined),
        load: (id) => (id === join(import.meta.dirname, 'app.js') ? APP : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife' });
  app.on('request', (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<script>${output[0].code.replaceAll('</script', '<\\/script')}</script>`);
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  browser = await launch();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  app.close();
});

async function called(name: string, args: object, on: Page = page): Promise<string> {
  await on.goto(`http://127.0.0.1:${(app.address() as AddressInfo).port}/`);
  return on.evaluate(
    ([tool, given]) => (globalThis as never as { callTool(...all: unknown[]): Promise<string> }).callTool(tool, given),
    [name, args] as const,
  );
}

describe('a mock server behind page.route', () => {
  it('answers the official client in a page of another origin, by handlers', async () => {
    const mock = playwrightEndpoint({
      handlers: [
        tool('add', ({ a, b }, { progress }) => {
          progress(1);
          return a + b;
        }),
      ],
    });
    await page.route(URL_OF_MCP, mock.handler);
    expect(await called('add', { a: 2, b: 3 })).toBe('1 5');
    mock.use(tool('add', () => 'other', { once: true }));
    expect(await called('add', { a: 2, b: 3 })).toBe('other');
    expect(mock.journal.requests('tools/call', { name: 'add' })).toHaveLength(2);
    expect(mock.finish()).toMatchObject({ failed: false });
    await page.unroute(URL_OF_MCP);
  });

  it('fails the test where a tool is called that there is not', async () => {
    const mock = playwrightEndpoint({ handlers: [tool('add', () => 1)] });
    await page.route(URL_OF_MCP, mock.handler);
    expect(await called('sub', {})).toBe('failed');
    expect(mock.finish()).toMatchObject({ failed: true, findings: [{ kind: 'miss' }] });
    await page.unroute(URL_OF_MCP);
  });

  it('fails the test where a handler asks the page, instead of waiting for ever', async () => {
    const mock = playwrightEndpoint({
      handlers: [tool('ask', (_, { sample }) => sample({ messages: [], maxTokens: 1 }))],
    });
    await page.route(URL_OF_MCP, mock.handler);
    expect(await called('ask', {})).toBe('failed');
    const { failed, findings } = mock.finish();
    expect([failed, findings[0]!.text]).toEqual([true, expect.stringContaining('asks for sampling/createMessage')]);
    await page.unroute(URL_OF_MCP);
  });

  it('plays a cassette', async () => {
    const mock = playwrightEndpoint({
      cassette: join(import.meta.dirname, '../../examples/msw/cassettes/weather.yaml'),
      onUnused: 'report',
      onDifference: 'report',
    });
    await page.route(URL_OF_MCP, mock.handler);
    expect(await called('weather', { city: 'Oslo' })).toContain('Oslo');
    await page.unroute(URL_OF_MCP);
    mock.finish();
  });

  it.each([
    ['the route was removed', (open: Page) => open.unroute(URL_OF_MCP)],
    ['its page was closed', (open: Page) => open.close()],
  ])('answers nobody after %s, without an error', async (_, leave) => {
    let answer: (text: string) => void = () => {};
    let mock!: ReturnType<typeof playwrightEndpoint>;
    const asked = new Promise<void>((resolve) => {
      mock = playwrightEndpoint({
        handlers: [
          tool('wait', () => {
            resolve();
            return new Promise<string>((settle) => {
              answer = settle;
            });
          }),
        ],
      });
    });
    const other = await browser.newPage();
    const handled: Promise<void>[] = [];
    await other.route(URL_OF_MCP, (route) => void handled.push(mock.handler(route)));
    const call = called('wait', {}, other).catch(() => 'failed');
    await asked;
    await leave(other);
    answer('late');
    await Promise.all(handled);
    await other.close();
    await call;
    mock.finish();
  });
});
