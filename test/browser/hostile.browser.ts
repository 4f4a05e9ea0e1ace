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
