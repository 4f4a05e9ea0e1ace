/**
 * `npm run bench -- [NAME…] [--quick] [--json | --page]`: runs the benches of this folder and prints what they measured.
 * `--page` puts it into docs/performance.md instead, with the machine, the date and the command; benches on request have a part of their own.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable, plainTable } from './table.js';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs', 'performance.md');
/** What is between these marks of the page is ours, as far as it was measured: by name, whether it is of benches on request. */
const PARTS = { figures: false, 'figures on request': true };
/** With this status Node ends where nothing is left that could end a wait. */
const UNSETTLED = 13;
const { options, wanted } = commandLine();
if (!existsSync(join(root, 'dist', 'bin', 'main.js'))) fail('What is measured is not built: npm run build.');
const load = loadavg()[0];
const known = findBenches();
const unknown = wanted.find((name) => !known.has(name));
if (unknown !== undefined) fail(`There is no bench "${unknown}". Choose from: ${[...known.keys()].join(', ')}.`);
const benches = await loadBenches([...known.keys()].filter((name) => wanted.length === 0 || wanted.includes(name)));

const results = [];
let measuring;
process.on('exit', () => {
  if (process.exitCode === UNSETTLED) console.error(`Cannot measure ${measuring}: what it waited for has ended.`);
});
for (const { name, run, isOnRequest = false } of benches) {
  if (isOnRequest && wanted.length === 0) continue;
  process.stderr.write(`${name} …\n`);
  measuring = name;
  const rows = await run({ quick: options.quick }).catch(({ message }) =>
    fail(`Cannot measure ${name}: ${message}`, 1),
  );
  results.push({ name, isOnRequest, rows });
  if (!options.json && !options.page) console.log(`\n${plainTable(name, rows)}`);
}
if (options.json)
  console.log(
    JSON.stringify(
      results.map(({ name, rows }) => ({ name, rows })),
      undefined,
      2,
    ),
  );
if (options.page) writePage();

function commandLine() {
  const flag = { type: 'boolean', default: false };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { quick: flag, json: flag, page: flag },
    });
    return { options: values, wanted: positionals };
  } catch (error) {
    return fail(error.message);
  }
}

/** Name → file, of every module here that says its name; the others are programs and helpers of these. */
function findBenches() {
  const nameOf = (file) =>
    /^export const name = '(.+)'/m.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1];
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.js'));
  const named = files.sort().map((file) => [nameOf(file), file]);
  return new Map(named.filter(([name]) => name !== undefined));
}

async function loadBenches(names) {
  try {
    return await Promise.all(names.map((name) => import(`./${known.get(name)}`)));
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return fail(`What is measured against is not installed: npm ci. (${error.message})`);
  }
}

function writePage() {
  const about = aboutThisRun();
  let text = readFileSync(page, 'utf8');
  for (const [part, isOnRequest] of Object.entries(PARTS)) {
    const tables = results
      .filter((result) => result.isOnRequest === isOnRequest)
      .map(({ name, rows }) => `### ${name}\n\n${markdownTable('', rows)}`);
    const ours = new RegExp(`(?<=<!-- ${part} -->\n)[\\s\\S]*(?=<!-- end of ${part} -->)`);
    if (tables.length > 0) text = text.replace(ours, () => `\n${about}.\n\n${tables.join('\n\n')}\n\n`);
  }
  writeFileSync(page, text);
}

function aboutThisRun() {
  const [cpu] = cpus();
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  return [
    `\`${command}\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}`,
    `${process.platform} ${process.arch}, ${cpus().length} × ${cpu.model}`,
    `load as it began: ${load.toFixed(1)}${load > cpus().length / 2 ? ', so **measured on a loaded machine**' : ''}`,
  ].join('; ');
}

function fail(why, status = 2) {
  console.error(why);
  process.exit(status);
}
