import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FaultKind } from '../../src/faults/fault.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Param } from '../../src/faults/rules/declare-fault-params.ts';
import { parseFaultRules, parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { exampleOf, LONG_EXAMPLES } from './fault-examples.ts';

const root = join(import.meta.dirname, '..', '..');

const GROUPS = {
  messages: 'Messages',
  timing: 'Delays',
  connections: 'Connections and processes',
  authorization: 'Authorization',
};

/** The faults that most tests need. They come first. */
const COMMON = ['error-reply', 'http-status', 'latency', 'drop', 'duplicate', 'stall', 'cut', 'reset', 'down'];

/** Shortens how a parameter describes its values, for a table. */
function valuesOf({ wanted }: Param<unknown>): string {
  const [, least, forever] = /^milliseconds(?: from (\d+))?(?: to \d+)?( or forever)?$/.exec(wanted) ?? [];
  if (wanted.startsWith('milliseconds')) return `ms${least === '1' ? ' from 1' : ''}${forever ? ' or `forever`' : ''}`;
  if (wanted === 'names of fields and their texts') return 'object of texts';
  if (/^[\w-]+(?: or [\w-]+)+$/.test(wanted))
    return wanted
      .split(' or ')
      .map((word) => `\`${word}\``)
      .join(', ');
  return wanted.replace('a whole number', 'number').replace('a mapping', 'object').replace('a status from', 'from');
}

/** Returns the rows of a parameter: one a value, if its text has one a value. */
function rowsOf([name, param]: [string, Param<unknown>]): string[] {
  const { fallback: value, doc } = param;
  if (/^[\w-]+: /.test(doc) && doc.includes('; '))
    return doc.split('; ').map((line) => {
      const [word = '', ...text] = line.split(': ');
      return `| \`${name}=${word}\` | ${text.join(': ')} | ${word === value ? 'the default' : ''} |`;
    });
  const isShown = value !== undefined && typeof value !== 'object';
  const shown = isShown ? `; default \`${String(value).replace('Infinity', 'forever')}\`` : '';
  return [`| \`${name}\` | ${doc} | ${valuesOf(param)}${'fallback' in param ? shown : '; required'} |`];
}

const inWords = (transports: FaultKind['transports']) => transports.join(', ').replace('http', 'HTTP');

/** Returns the row of a fault in the table of docs/fault-list.md: its first sentence. */
function rowOf({ name, doc, transports }: FaultKind): string {
  const [sentence = ''] = doc.split(/(?<=\.) (?=[A-Z])/);
  return `| [\`${name}\`](#${name}) | ${sentence} | ${inWords(transports)} |`;
}

/** Returns the side that a fault tests, where the other one is played. */
function testsOf({ noticedBy, when, transports }: FaultKind): string {
  if (noticedBy === 'sender') return 'a server; with `from: client` over stdio, only a client';
  if (when?.from === 'client') return noticedBy === 'receiver' ? 'a server' : 'a client';
  if (noticedBy === 'receiver' && transports.includes('stdio')) return 'a client; with `from: client`, only a server';
  return 'a client';
}

/** Returns the entry of a fault in docs/fault-list.md. */
function entryOf(kind: FaultKind): string {
  const { name, doc, transports, params, when } = kind;
  const wanted = Object.entries(when ?? {}).map(([key, value]) => `${key}: ${value}`);
  const parameters = Object.entries(params).flatMap(rowsOf);
  return [
    `### ${name}\n`,
    `${doc}\n`,
    `- Example: \`${exampleOf(name)}\``,
    ...(wanted.length > 0 ? [`- Applies to: \`{ ${wanted.join(', ')} }\``] : []),
    `- Over: ${inWords(transports)}`,
    `- Tests: ${testsOf(kind)}`,
    ...(parameters.length > 0 ? ['', '| parameter | meaning | value |', '|---|---|---|', ...parameters] : []),
  ].join('\n');
}

/** The titles of the groups, each with its faults. */
const groups: [title: string, kinds: FaultKind[]][] = [
  ['The most common', COMMON.flatMap((name) => FAULTS.get(name) ?? [])],
  ...Object.entries(GROUPS).map(([folder, title]): [string, FaultKind[]] => {
    const path = (name: string) => join(root, 'src', 'faults', folder, `${name}.ts`);
    return [title, [...FAULTS.values()].filter(({ name }) => !COMMON.includes(name) && existsSync(path(name)))];
  }),
];

it('the faults of docs/faults.md work over what it says', () => {
  const page = readFileSync(join(root, 'docs', 'faults.md'), 'utf8');
  const rows = [...page.matchAll(/^\|.*\[`([\w-]+)`\]\(fault-list\.md#\1\) \|(?:.*\|)? ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [row, name, over] of rows) expect(inWords(FAULTS.get(name!)!.transports), row).toBe(over);
});

it('the table and the entries of docs/fault-list.md are what the code says', async () => {
  const page = readFileSync(join(root, 'docs', 'fault-list.md'), 'utf8');
  const head = page.slice(0, page.indexOf('\n## At a glance\n'));
  const tail = page.slice(page.indexOf('\n## What a client sees over HTTP\n'));
  const rows = groups.flatMap(([, kinds]) => kinds.map(rowOf));
  expect(rows).toHaveLength(FAULTS.size);
  const table = ['| fault | what happens | over |', '|---|---|---|', ...rows].join('\n');
  const entries = groups.map(([title, kinds]) => `\n## ${title}\n\n${kinds.map(entryOf).join('\n\n')}\n`);
  const text = [head, `\n## At a glance\n\n${table}\n`, ...entries, tail].join('');
  await expect(text).toMatchFileSnapshot('../../docs/fault-list.md');
});

it('has an example of each fault that can be read over each of its transports', () => {
  for (const { name, transports } of FAULTS.values())
    for (const transport of transports) {
      const example = exampleOf(name);
      const rule = LONG_EXAMPLES.includes(example)
        ? parseFaultRules({ faults: [parse(example)] }, { name, transport }).rules[0]
        : parseShortRule(example, transport);
      expect(rule?.fault.kind.name).toBe(name);
    }
  expect(() => parseShortRule('latency:tools/call', 'stdio')).toThrow('"delay" is missing');
});
