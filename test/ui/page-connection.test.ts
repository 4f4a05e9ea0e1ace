import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { servedUi } from './served-ui.ts';

const text = (tool: string) =>
  `format: mcp-record/1\nrecorded: '2026-11-29T12:00:00.250Z'\nevents:\n- client: { id: 1, method: tools/call, params: { name: ${tool} } }\n`;

it('a page of several sessions gets the rows and items of these, each under its name, and no work', async () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.yaml`), text(name));
  await using ui = await servedUi(folder);
  await using page = await ui.open('a.yaml', 'b.yaml', 'a.yaml');
  const tools = () =>
    page.messages.flatMap(({ update }) => update?.items.map((item) => [update.name, item.name]) ?? []);
  await page.until(() => tools().length === 2);
  expect(tools()).toEqual([
    ['a.yaml', 'a'],
    ['b.yaml', 'b'],
  ]);
  const rows = page.messages.flatMap(({ rows = [] }) => rows.map(({ name }) => name));
  expect(new Set(rows)).toEqual(new Set(['a.yaml', 'b.yaml']));
  expect(page.messages.some(({ work }) => work !== undefined)).toBe(false);
});

it('a page of sessions of which one is not there, or of too many, is told so', async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 21 }, (_, index) => `${index}.yaml`);
  for (const name of names) writeFileSync(join(folder, name), text('a'));
  await using ui = await servedUi(folder);
  for (const wanted of [['0.yaml', 'nobody.yaml'], names]) {
    await using page = await ui.open(...wanted);
    await page.until(() => page.messages.length > 0);
    expect(page.messages[0]).toMatchObject({ isUnknown: true });
  }
});
