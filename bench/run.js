/**
 * `npm run bench -- [NAME…] [--quick] [--json | --page]`: runs the benches of this folder and prints what they measured.
 * `--page` puts it into docs/performance.md instead, with the machine, the date and the command.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable, plainTable } from './table.js';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs', 'performance.md');
const { options, wanted } = commandLine();
if (!existsSync(join(root, 'dist', 'cli', 'main.js'))) fail('What is measured is not built: npm run build.');
const load = loadavg()[0];
const benches = await findBenches();
const unknown = wanted.find((name) => !benches.some((bench) => bench.name === name));
if (unknown !== undefined)
  fail(`There is no bench "${unknown}". Choose from: ${benches.map(({ name }) => name).join(', ')}.`);

const results = [];
for (const { name, run } of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  const rows = await run({ quick: options.quick });
  results.push({ name, rows });
  if (!options.json && !options.page) console.log(`\n${plainTable(name, rows)}`);
}
if (options.json) console.log(JSON.stringify(results, undefined, 2));
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

/** Every module here that says its name; the others are programs and helpers of these, and are not even loaded. */
async function findBenches() {
  const isBench = (file) =>
    /^export const name\b/m.test(readFileSync(join(import.meta.dirname, file), 'utf8'));
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.js') && isBench(file));
  try {
    return await Promise.all(files.sort().map((file) => import(`./${file}`)));
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return fail(`What is measured against is not installed: npm ci. (${error.message})`);
  }
}

/** The part of the page between the two marks is ours. */
function writePage() {
  const [cpu] = cpus();
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const about = [
    `\`${command}\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}`,
    `${process.platform} ${process.arch}, ${cpus().length} × ${cpu.model}`,
    `load as it began: ${load.toFixed(1)}${load > cpus().length / 2 ? ', so **measured on a loaded machine**' : ''}`,
  ].join('; ');
  const tables = results.map(({ name, rows }) => `### ${name}\n\n${markdownTable('', rows)}`);
  const text = readFileSync(page, 'utf8');
  const ours = /(?<=<!-- figures -->\n)[\s\S]*(?=<!-- end of figures -->)/;
  writeFileSync(
    page,
    text.replace(ours, () => `\n${about}.\n\n${tables.join('\n\n')}\n\n`),
  );
}

function fail(why) {
  console.error(why);
  process.exit(2);
}
