import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch, open } from './chromium.ts';
import { file, report } from './reports.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** What has broken pages that show what others said. */
const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "javascript:alert(1)//'",
  '\u2028alert(1)\u2029',
  '</title></style></textarea><iframe srcdoc="<script>alert(1)</script>">',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202egnp.exe\u0000\u001b[31m',
];

it.each(ATTACKS)('%j is only ever shown', async (attack) => {
  const events = [
    { client: { id: attack, method: attack, params: { name: attack, [attack]: attack } } },
    {
      server: {
        id: attack,
        result: { isError: true, content: [{ type: 'text', text: attack }], [attack]: [attack] },
      },
    },
    { client: { id: 2, method: 'initialize', params: { clientInfo: { name: attack, version: attack } } } },
    { server: { id: 2, error: { code: -1, message: attack, data: attack } } },
    { server: { method: 'notifications/message', params: { level: attack, logger: attack, data: attack } } },
    { stderr: attack },
  ];
  const lines = events.map(
    (event) => `- ${JSON.stringify(event).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}`,
  );
  const cassette = file('hostile.yaml', `format: mcp-record/1\ntransport: stdio\nevents:\n${lines.join('\n')}\n`);
  const journal = file('hostile.ndjson', `${JSON.stringify({ fault: attack, from: 'server', message: 1 })}\n`);
  const page = report('hostile', cassette, '--journal', journal);
  for (const index of [0, 1, 3, 5]) {
    await using opened = await open(browser, page, `#line-${4 + index}`);
    const { page: shown, troubles } = opened;
    await shown.getByRole('option', { selected: true }).waitFor();
    expect(
      await shown.locator('img, svg, iframe, form, a, [onerror], [onload], body script ~ script ~ *').count(),
    ).toBe(0);
    expect(await shown.locator('script').count()).toBe(2);
    expect(troubles).toEqual([]);
  }
});

it('no link to a page can run anything', async () => {
  const cassette = file(
    'plain.yaml',
    'format: mcp-record/1\ntransport: stdio\nevents:\n- client: {"id":1,"method":"ping"}\n',
  );
  for (const hash of ['#<img src=x onerror=alert(1)>', '#%', '#9/line-1', '#line-99999999']) {
    await using opened = await open(browser, report('plain', cassette), hash);
    expect(await opened.page.getByRole('option').count()).toBe(1);
    expect(opened.troubles).toEqual([]);
  }
});

it('pictures, sounds and Markdown of a server run nothing, load nothing and lead nowhere', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><image href="http://127.0.0.1:9/x.png"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://127.0.0.1:9/"/></foreignObject></svg>';
  const data = (text: string) => Buffer.from(text).toString('base64');
  const markdown = [
    '[a](javascript:alert(1)) ![b](http://127.0.0.1:9/b.png) <http://127.0.0.1:9/> https://example.com/auto',
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '[ref]: http://127.0.0.1:9/ref\n\n# [ref]',
    '```html\n<script>alert(1)</script>\n```',
    `${'> '.repeat(300)}deep ${'*'.repeat(300)}${'['.repeat(300)}`,
  ].join('\n\n');
  const content = [
    { type: 'image', mimeType: 'image/svg+xml', data: data(svg) },
    { type: 'image', mimeType: 'text/html', data: data('<script>alert(1)</script>') },
    { type: 'image', mimeType: 'image/png;base64,"><script>alert(1)</script>', data: 'AAAA' },
    { type: 'image', mimeType: 'image/png', data: '"><script>alert(1)</script>' },
    { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    { type: 'resource_link', uri: 'javascript:alert(1)', name: '<b>', title: 'http://127.0.0.1:9/' },
    { type: 'resource', resource: { uri: 'ui://x', mimeType: 'text/html', text: '<script>alert(1)</script>' } },
    { type: 'text', text: markdown },
    { type: ['text'], text: { toString: 1 } },
    null,
  ];
  const call = { id: 1, method: 'tools/call', params: { name: '__proto__' } };
  const tools = [
    { name: '__proto__', inputSchema: { $ref: 'http://127.0.0.1:9/s', pattern: '(a+)+$', allOf: [{ $ref: '#' }] } },
  ];
  const events = [
    { client: { id: 0, method: 'tools/list' } },
    { server: { id: 0, result: { tools } } },
    { client: call },
    { server: { id: 1, result: { content, structuredContent: {}, messages: 7, contents: { uri: 1 }, isError: 'x' } } },
  ];
  const lines = events.map((event) => `- ${JSON.stringify(event)}\n`).join('');
  const cassette = file('media.yaml', `format: mcp-record/1\ntransport: stdio\nevents:\n${lines}`);
  for (const tab of ['Result', 'Request', 'Messages', 'Schema', 'YAML', 'Nothing']) {
    await using opened = await open(browser, report('media', cassette), `#line-6?tab=${tab}`);
    const { page, troubles } = opened;
    await page.getByRole('tabpanel').waitFor();
    if (tab === 'Result') expect(await page.locator('img').count()).toBe(1);
    expect(await page.locator('a, iframe, object, embed, form, svg, [onerror], [onload]').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    // A sound of three bytes is none: that the browser cannot play it is no trouble of the page.
    expect(troubles.filter((trouble) => !trouble.startsWith('request: data:'))).toEqual([]);
  }
});

it('characters that hide are shown wherever a text is', async () => {
  const hidden = 'a\u{e0041}b\u200bc\u2060d\u00ade';
  const events = [
    { client: { id: 1, method: 'tools/call', params: { name: hidden, arguments: { hidden } } } },
    {
      server: {
        id: 1,
        result: {
          content: [
            { type: 'text', text: `# ${hidden}` },
            { type: 'text', text: hidden },
          ],
        },
      },
    },
  ];
  const lines = events.map((event) => `- ${JSON.stringify(event)}\n`).join('');
  const cassette = file('hidden.yaml', `format: mcp-record/1\ntransport: stdio\nevents:\n${lines}`);
  for (const place of [
    '#line-4',
    '#line-4?tab=Request',
    '#line-4?tab=Messages',
    '#line-5?view=sequence',
    '#?view=tools',
  ]) {
    await using opened = await open(browser, report('hidden', cassette), place);
    const text = await opened.page.locator('#page').textContent();
    expect(text).toContain('a\\u{e0041}b\\u200bc\\u2060d\\u00ade');
    expect(text).not.toMatch(/[\u{e0041}\u200b\u2060\u00ad]/u);
  }
});
