/**
 * Runs `windows-smoke.js` on lines of Node for Windows under wine, at the same time, and prints what they report:
 * `node .ci/windows.js [20 22]`. Ends with 1 if a step failed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWine, nodeForWindows, onZ, root, statusOf, text } from './wine.js';

/** By default those that wine 8 runs, which is that of Debian 12. */
const LINES = process.argv.length > 2 ? process.argv.slice(2) : ['22', '20'];

const npx = onZ(join(text('npm', 'root', '-g'), 'npm', 'bin', 'npx-cli.js'));

async function take(line, { folder, env }) {
  const there = join(folder, line);
  const node = nodeForWindows(line, there);
  const [report, output] = [join(there, 'report'), join(there, 'output')];
  const args = [node, onZ(join(root, '.ci', 'windows-smoke.js')), onZ(report)];
  const status = await statusOf(args, { env: { ...env, NPM_CLI: npx }, output });
  console.log(`Node ${line} under wine ${env.WINE_MAJOR}:`);
  for (const file of status === 0 ? [report] : [report, output])
    if (existsSync(file)) console.log(readFileSync(file, 'utf8'));
  return status === 0;
}

const passed = await inWine((wine) => Promise.all(LINES.map((line) => take(line, wine))));
process.exitCode = passed.every(Boolean) ? 0 : 1;
