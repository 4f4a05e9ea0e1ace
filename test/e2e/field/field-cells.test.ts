import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../support/process.ts';

// Cells of the pages about the field, again: those of packages that are here anyway. The others are not installed for tests.
const root = join(import.meta.dirname, '..', '..', '..');
const load = (file: string) => import(pathToFileURL(join(root, 'bench', 'field', file)).href);
const { CLIENTS } = await load('clients.js');
const { SERVERS } = await load('servers.js');
const field = mkdtempSync(join(tmpdir(), 'mcp-record-field-test-'));
afterAll(() => rmSync(field, { recursive: true, force: true }));

/** Takes the packages of a subject from our own folder. */
function installHere(subject: string, packages: string[]): void {
  const folder = join(field, subject);
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'import-here.mjs'), 'export const importHere = (specifier) => import(specifier);\n');
  writeFileSync(join(folder, 'installed.json'), JSON.stringify(packages));
}

/** The last lines that a cell prints. */
async function cell(...words: string[]): Promise<string> {
  const args = [join(root, 'bench', 'field.js'), ...words];
  const { stdout, stderr, status } = await run({ command: process.execPath, args, env: { FIELD: field } });
  if (status !== 0) throw new Error(stderr);
  return String(stdout).split('\n').slice(1).join('\n');
}

/** The row of a point on a page. */
function rowOf(page: string, section: string, parts: string[]): string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
    .split(`## ${section}\n`)[1]!
    .split('\n## ')[0]!;
  const row = text.split('\n').find((line) => parts.every((part) => line.includes(part)));
  return row!.split(' | ').map((part) => part.replaceAll(/^\| |\*/g, ''));
}

it.each([
  ['sdk-1', 'stdio', 'exit@call'],
  ['sdk-1', 'http', 'error-reply@call'],
  ['sdk-2', 'stdio', 'error-reply@open'],
])('the cell of %s over %s at %s comes out as on the page', async (name, transport, point) => {
  const { title, packages } = CLIENTS[name];
  rmSync(join(field, 'clients', name), { recursive: true, force: true });
  installHere(`clients/${name}`, packages);
  const [, , outcome, seen] = rowOf('field-clients.md', title, [`| ${transport} |`, `\`${point}\``]);
  const printed = await cell('client-cell', name, transport, point);
  expect(printed).toContain(`${outcome}: `);
  for (const [, step, text] of seen!.matchAll(/(\w+): `(.*?)`/g)) expect(printed).toContain(`    ${step}: ${text}`);
});

it('the cell of a server comes out as on the page', async () => {
  const { title, packages } = SERVERS.everything;
  installHere('servers/everything', packages);
  const [, verdict, why] = rowOf('field-servers.md', title, ['`not-json@4`']);
  expect(await cell('server-cell', 'everything', 'not-json@4')).toBe(`${verdict}: ${why!.replace(/^`|` \|$/g, '')}\n`);
});
