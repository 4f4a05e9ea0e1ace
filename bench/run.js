/** `npm run bench -- [NAME…] [--quick] [--json]`: runs the benches of this folder and prints what they measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const benches = await findBenches();
const unknown = wanted.find((name) => !benches.some((bench) => bench.name === name));
if (unknown !== undefined) {
  const names = benches.map(({ name }) => name).join(', ');
  console.error(`There is no bench "${unknown}". Choose from: ${names}.`);
  process.exit(2);
}

const results = [];
for (const { name, run } of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  const rows = await run({ quick: options.quick });
  results.push({ name, rows });
  if (!options.json) console.log(`\n${table(name, rows)}`);
}
if (options.json) console.log(JSON.stringify(results, undefined, 2));

/** Every module here that says its name; the others are programs and helpers of these, and are not even loaded. */
async function findBenches() {
  const isBench = (file) =>
    /^export const name\b/m.test(readFileSync(join(import.meta.dirname, file), 'utf8'));
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.js') && isBench(file));
  return Promise.all(files.sort().map((file) => import(`./${file}`)));
}

/** @param rows each `{ what, unit, values: { [contender]: number }, ratio, goal }` */
function table(name, rows) {
  const contenders = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const head = [name, 'unit', ...contenders, 'ratio', 'goal'];
  const lines = rows.map(({ what, unit, values, ratio, goal }) => [
    what,
    unit ?? '',
    ...contenders.map((contender) => number(values[contender])),
    number(ratio),
    goal === undefined ? '' : String(goal),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)));
  const isText = (column) => column < 2 || column === head.length - 1;
  const print = (line) =>
    line
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  return [print(head), print(widths.map((width) => '─'.repeat(width))), ...lines.map(print)].join('\n');
}

function number(value) {
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  return value.toLocaleString(
    'en',
    value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 },
  );
}
