/**
 * `npm run field`: what clients and servers of others do under faults.
 *
 * `clients [NAME…]` and `servers [NAME…]` install packages at exact versions in the folder FIELD, sweep them, and keep the results there: without
 * names, those that have none yet. Then they write `docs/field-clients.md` and `docs/field-servers.md` from all results that are there.
 * `client-cell NAME TRANSPORT POINT` and `server-cell NAME POINT` repeat one cell of these pages. `pages` writes the pages alone.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clientPage } from './field/client-page.js';
import { CLIENTS, LEFT_OUT_CLIENTS } from './field/clients.js';
import { FIELD, ROOT } from './field/commands.js';
import { MARKS } from './field/outcome.js';
import { serverPage } from './field/server-page.js';
import { LEFT_OUT_SERVERS, SERVERS } from './field/servers.js';
import { clientCommand, sweepClient } from './field/sweep-clients.js';
import { serverCommand, sweepServer } from './field/sweep-servers.js';

const write = (file, text) => writeFileSync(join(ROOT, 'docs', file), text);
const clientResult = (name, transport) => join(FIELD, 'results', 'clients', `${name}-${transport}.json`);
const serverResult = (name) => join(FIELD, 'results', 'servers', `${name}.json`);
const marksOf = (outcomes, markOf) => outcomes.map(markOf).join('');

const COMMANDS = { clients, servers, 'client-cell': clientCell, 'server-cell': serverCell, pages };
const [what, ...words] = process.argv.slice(2);
if (!(what in COMMANDS)) fail(`Say what to do: ${Object.keys(COMMANDS).join(', ')}.`);
await COMMANDS[what](...words);

async function clients(...asked) {
  for (const name of namesOf(CLIENTS, asked)) {
    const client = CLIENTS[name];
    const { packages, over = ['stdio', 'http'] } = client;
    for (const transport of over) {
      await keepResult({ file: clientResult(name, transport), packages, isAsked: asked.length > 0 }, async () => {
        const outcomes = await sweepClient({ name, client, transport });
        return { name, transport, outcomes, marks: marksOf(Object.values(outcomes), ({ mark }) => mark) };
      });
    }
  }
  pages();
}

async function servers(...asked) {
  for (const name of namesOf(SERVERS, asked)) {
    const server = SERVERS[name];
    await keepResult({ file: serverResult(name), packages: server.packages, isAsked: asked.length > 0 }, async () => {
      const { verdicts } = await sweepServer({ name, server });
      return { name, verdicts, marks: marksOf(Object.values(verdicts), ({ verdict }) => verdict[0]) };
    });
  }
  pages();
}

/** Runs a sweep, and writes its result to the file, unless it is there. */
async function keepResult({ file, packages, isAsked }, sweep) {
  // A subject that is named runs again.
  if (!isAsked && readJson(file)?.packages.join() === packages.join()) return;
  console.log(file);
  try {
    const result = await sweep();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ packages, node: process.versions.node, ...result }, null, 2));
    console.log(`    ${result.marks}`);
  } catch (error) {
    console.log(`    no result: ${error.message}`);
  }
}

async function clientCell(name, transport, point) {
  namesOf(CLIENTS, [name]);
  const client = CLIENTS[name];
  console.log(`$ ${clientCommand({ name, client, transport, points: [point] }).join(' ')}`);
  const { [point]: outcome } = await sweepClient({ name, client, transport, points: [point] });
  const { title, meaning } = MARKS[outcome.mark];
  console.log(`${title}: ${meaning}`);
  for (const [step, text] of Object.entries(outcome.seen)) console.log(`    ${step}: ${text}`);
}

async function serverCell(name, point) {
  namesOf(SERVERS, [name]);
  const server = SERVERS[name];
  console.log(`$ ${serverCommand({ name, server, points: [point] }).join(' ')}`);
  const { verdicts } = await sweepServer({ name, server, points: [point] });
  console.log(`${verdicts[point].verdict}${verdicts[point].why ? `: ${verdicts[point].why}` : ''}`);
}

function pages() {
  const ofClients = Object.keys(CLIENTS).flatMap((name) =>
    ['stdio', 'http'].flatMap((transport) => readJson(clientResult(name, transport)) ?? []),
  );
  write('field-clients.md', clientPage({ clients: CLIENTS, leftOut: LEFT_OUT_CLIENTS, results: ofClients }));
  const ofServers = Object.keys(SERVERS).flatMap((name) => readJson(serverResult(name)) ?? []);
  write('field-servers.md', serverPage({ servers: SERVERS, leftOut: LEFT_OUT_SERVERS, results: ofServers }));
}

function namesOf(subjects, asked) {
  const unknown = asked.find((name) => !(name in subjects));
  if (unknown !== undefined) fail(`There is no "${unknown}". There are: ${Object.keys(subjects).join(', ')}.`);
  return asked.length > 0 ? asked : Object.keys(subjects);
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function fail(text) {
  console.error(text);
  process.exit(2);
}
