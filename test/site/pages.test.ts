import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { headingOf, stagePages } from '../../site/pages.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = join(temporaryFolder(), 'pages');
const groups = stagePages(folder);
const pages = groups.flatMap((group) => group.pages);

it('every page is written, with a title', () => {
  expect(pages.length).toBeGreaterThan(60);
  for (const { path, title } of pages) {
    expect(existsSync(join(folder, path)), path).toBe(true);
    expect(title, path).toMatch(/\w/);
  }
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
});

it('every relative link leads to a page or an image', () => {
  for (const path of ['index.md', ...pages.map((page) => page.path)]) {
    const text = readFileSync(join(folder, path), 'utf8').replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');
    const links = [...text.matchAll(/\]\(((?![a-z]+:|#)[^)#\s]+)/g)].map(([, link]) => link!);
    const missing = links.filter((link) => !existsSync(join(folder, dirname(path), link)));
    expect(missing, path).toEqual([]);
  }
});

it('the first page is the README up to its list of pages', () => {
  const home = readFileSync(join(folder, 'index.md'), 'utf8');
  expect(home).toMatch(/^---\n\{.*"layout":"home"/);
  expect(home).toContain('"tagline":"Record, replay and mock servers of the Model Context Protocol (MCP)');
  expect(home).toContain('$ npm install -D mcp-record');
  expect(home).not.toContain('## Documentation');
  expect(home).not.toContain('<picture>');
  const pictures = readdirSync(join(folder, 'report'));
  expect(pictures).toContain('calls.png');
  expect(pictures).not.toContain('example.html');
});

it('a heading is read without marks', () => {
  expect(headingOf('---\na: b\n---\n\n# The `cli`, *here*\n')).toBe('The cli, here');
});
