import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const load = (file: string) => import(pathToFileURL(join(root, 'bench', 'field', file)).href);
const { MARKS, outcomeOf } = await load('outcome.js');
const { sweptName } = await load('points.js');
const { clientPage } = await load('client-page.js');
const { serverPage } = await load('server-page.js');
const { CLIENTS } = await load('clients.js');
const { SERVERS } = await load('servers.js');

const RIGHT = { open: 'well', list: 'well', call: 'well', again: 'well', close: 'well' };

/** A result of the sweep whose driver saw this. */
const result = (verdict: string, seen: object) => ({
  verdict,
  stderrTail: `other\n${Object.entries(seen)
    .map(([step, outcome]) => `seen ${JSON.stringify({ [step]: outcome })}`)
    .join('\n')}\nlater`,
});

it.each([
  ['·', 'junk@call', result('passed', RIGHT)],
  ['a', 'version@open', result('passed', RIGHT)],
  ['r', 'stall@open', result('reported', { open: 'error: timeout' })],
  ['r', 'drop@call', result('reported', { ...RIGHT, call: 'error: timeout' })],
  ['t', 'drop@call', result('reported', { ...RIGHT, call: 'answer: "Error: timeout"' })],
  ['w', 'drop@call', result('reported', { ...RIGHT, call: 'answer: ""' })],
  ['w', 'stall@open', result('reported', { ...RIGHT, list: 'answer: []', call: 'error: no tool' })],
  ['l', 'exit@call', result('reported', { ...RIGHT, call: 'error: closed', again: 'error: closed' })],
  ['H', 'stall@call', result('hung', { open: 'well' })],
  ['C', 'exit@call', result('crashed', { open: 'well' })],
  ['L', 'exit@call', result('leaked', RIGHT)],
  ['!', 'drop@call', result('lied', RIGHT)],
  ['-', 'late@call', result('unreached', RIGHT)],
  ['-', 'late@call', undefined],
])('the mark %s stands for what the user of a client saw at %s', (mark, point, swept) => {
  expect(outcomeOf(point, swept).mark).toBe(mark);
});

it('a point is named by the position of its message in the cassette, with the parameters of its fault', () => {
  const named = ['stall@open', '404@call', '503@call', 'corrupt@call'].map((point) => sweptName(point, 4));
  expect(named).toEqual(['stall@1', 'http-status:status=404@4', 'http-status:status=503@4', 'corrupt:kind=bad-json@4']);
});

it('the page of clients shows the bad outcomes first, each with its rule', () => {
  const outcomes = Object.fromEntries(
    ['stall@call', 'drop@call', 'exit@call'].map((point, index) => [
      point,
      outcomeOf(
        point,
        [
          result('reported', { ...RIGHT, call: 'error: late' }),
          result('hung', { open: 'well' }),
          result('crashed', RIGHT),
        ][index],
      ),
    ]),
  );
  const page = clientPage({
    clients: { one: { title: 'One', packages: ['one@1.0.0'] }, two: { title: 'Two', packages: ['two@1.0.0'] } },
    leftOut: { Three: 'It needs an account.' },
    results: [{ name: 'one', transport: 'stdio', node: '24.0.0', outcomes }],
  });
  expect(page).toContain('1 clients and hosts were tried, with 22 faults each');
  expect(page).toContain('| [One](#one) | `-----` | `rH-` | `-C-` | `-----` | `---` |');
  expect(page.match(/^\| stdio \|.*$/gm)).toEqual([
    '| stdio | `drop@call` | **hung** | nothing, after open | Base Protocol, Lifecycle, "Timeouts": SHOULD establish timeouts for all sent requests |',
    '| stdio | `exit@call` | **crashed** |  | no rule; surprising |',
    '| stdio | `stall@call` | error | call: `error: late` |  |',
  ]);
  expect(page).toContain('| Three | It needs an account. |');
});

it('the page of servers counts the bad verdicts, and shows each with its reason', () => {
  const page = serverPage({
    servers: { one: { title: 'One', packages: ['one@1.0.0'] } },
    leftOut: {},
    results: [
      {
        name: 'one',
        node: '24.0.0',
        verdicts: {
          'leave@1': { verdict: 'passed' },
          'junk@1': { verdict: 'crashed', why: 'its process ended with 1 (no rule; surprising)' },
          'not-json@1': { verdict: 'ignored', why: 'it does not answer' },
        },
      },
    ],
  });
  expect(page).toContain('| One | `one@1.0.0` | `·iC----------------` | **1** |');
  expect(page).toContain('| `junk@1` | **crashed** | `its process ended with 1 (no rule; surprising)` |');
});

it('each client has a driver and each package an exact version', () => {
  const drivers = (kind: string) =>
    readdirSync(join(root, 'bench', 'field', kind)).map((file) => file.replace('.mjs', ''));
  expect(drivers('clients')).toEqual(Object.keys(CLIENTS).sort());
  const own = Object.entries<{ program?: string }>(SERVERS).filter(([, { program }]) => program === undefined);
  expect(drivers('servers')).toEqual(own.map(([name]) => name).sort());
  const packages = [
    ...Object.values<{ packages: string[] }>(CLIENTS),
    ...Object.values<{ packages: string[] }>(SERVERS),
  ];
  expect(packages.flatMap((one) => one.packages).filter((name) => !/.@\d+\.\d+\.\d+$/.test(name))).toEqual([]);
});

it('the pages have what the lists have: versions, and marks that the page explains', () => {
  for (const [file, subjects] of Object.entries({ 'field-clients.md': CLIENTS, 'field-servers.md': SERVERS })) {
    const page = readFileSync(join(root, 'docs', file), 'utf8');
    const listed = Object.values<{ title: string; packages: string[] }>(subjects);
    const sections = page
      .split(/^## /m)
      .slice(2, -1)
      .map((text) => text.split('\n')[0]);
    expect(listed.map(({ title }) => title)).toEqual(expect.arrayContaining(sections));
    for (const { title, packages } of listed)
      if (sections.includes(title)) expect(page).toContain(`\`${packages[0]}\``);
  }
  const page = readFileSync(join(root, 'docs', 'field-clients.md'), 'utf8');
  for (const mark of Object.keys(MARKS)) expect(page).toContain(`| \`${mark}\` |`);
});
