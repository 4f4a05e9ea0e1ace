/**
 * How long a recorder and a replayed server take from their start to the first answer, and what they work until then. With BESIDE, which
 * names the folder of another commit's build, both take turns: `BESIDE=FOLDER npm run bench -- starts`.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { OPENING } from './cassettes.js';
import { LineClient } from './line-client.js';
import { comparedInTurns, figure, mapValues } from './measure.js';
import { cassetteIn } from './replay.js';
import { ANSWERS } from './stdio.js';

export const name = 'starts';
export const isOnRequest = true;

const root = join(import.meta.dirname, '..');
const CALLS = 100;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  try {
    const builds = programs();
    const cassette = cassetteIn(folder, CALLS);
    let files = 0;
    const commands = {
      record: (program) => [
        ...[program, 'record', '-o', join(folder, `recorded-${files++}.yaml`)],
        ...['--', process.execPath, ANSWERS],
      ],
      replay: (program) => [program, 'replay', cassette],
    };
    const rows = [];
    for (const [command, words] of Object.entries(commands)) {
      const contenders = mapValues(builds, (program) => () => firstAnswer(words(program)));
      const { values, ratio } = await comparedInTurns(quick ? 1 : 25, contenders, besideOther);
      const row = (what, unit, of) => ({
        what: `${command}: ${what}`,
        unit,
        values: figure(values, of),
        ...('beside' in builds && { ratio: ratio[of], goal: '≤ 1.05' }),
      });
      rows.push(row('start to first answer', 'ms', 'wall'), row('its CPU until then', 'ms', 'cpu'));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The program of this build, and that of the other one, if there is any. */
function programs() {
  const here = join(root, 'bin', 'mcp-record.js');
  if (!process.env.BESIDE) return { here };
  const other = resolve(process.env.BESIDE);
  if (!existsSync(join(other, 'dist', 'bin', 'main.js')))
    throw new Error(`BESIDE names ${other}, which has no dist/bin/main.js. Build that commit first: npm run build.`);
  return { beside: join(other, 'bin', 'mcp-record.js'), here };
}

const besideOther = ({ here, beside = here }) => here / beside;

/** In ms. CPU is that of the program itself, without that of a server behind it. */
async function firstAnswer(command) {
  const began = performance.now();
  const client = new LineClient(command);
  await client.ask('open', 'initialize', OPENING);
  const wall = performance.now() - began;
  const cpu = client.cpu() / 1_000;
  await client.close();
  if (!client.last.includes('"id":"open"')) throw new Error(`not the answer: ${client.last}`);
  return { wall, cpu };
}
