import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

/** The official SDKs, and the parts of them that programs of tests import. */
const SDKS: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/sdk': [
    './client/auth.js',
    './client/auth-extensions.js',
    './client/index.js',
    './client/sse.js',
    './client/stdio.js',
    './client/streamableHttp.js',
    './inMemory.js',
    './server/auth/errors.js',
    './server/auth/middleware/bearerAuth.js',
    './server/auth/router.js',
    './server/express.js',
    './server/index.js',
    './server/mcp.js',
    './server/stdio.js',
    './server/streamableHttp.js',
    './shared/transport.js',
    './types.js',
  ],
  '@modelcontextprotocol/client': ['.', './stdio'],
  '@modelcontextprotocol/server': ['.', './stdio'],
};

/** What only few programs need is loaded from where it is installed. */
const EXTERNAL = /^(?:express|express-rate-limit|cors|hono|@hono\/node-server)(?:\/|$)/;

/** Folders of programs that tests start. Each has the bundles as its `node_modules`. */
const PROGRAMS = ['test/fixtures', 'test/e2e/servers', 'test/e2e/http/servers', 'test/e2e/http2-over-stdio'];

/**
 * The official SDKs in few files each, for programs that tests start by the thousand: 0.2 s of a processor each, and
 * 0.6 s as they are installed, which is the time to find and load 300 modules. The code is the same.
 */
export const bundledSdks = join(modules, '.cache', 'mcp-record', `sdks-${stateOfSdks()}`);

/** Vitest's global setup: makes the bundles where there are none of these versions. */
export default async function setup(): Promise<void> {
  if (!existsSync(bundledSdks)) await bundleSdks();
  for (const folder of PROGRAMS) {
    const link = join(root, folder, 'node_modules');
    // Under wine, a link of Linux is a folder: it can be read, and not replaced.
    if (existsSync(join(link, stateOfSdks()))) continue;
    rmSync(link, { force: true });
    symlinkSync(bundledSdks, link, 'junction');
  }
}

async function bundleSdks(): Promise<void> {
  mkdirSync(join(bundledSdks, '..'), { recursive: true });
  const made = mkdtempSync(`${bundledSdks}-`);
  for (const [name, parts] of Object.entries(SDKS)) {
    const fileOf = (part: string) => (part === '.' ? 'index.js' : part.slice(2).replace(/(?<!\.js)$/, '.js'));
    const bundle = await rolldown({
      input: Object.fromEntries(parts.map((part) => [fileOf(part).slice(0, -3), join(name, part)])),
      cwd: root,
      platform: 'node',
      external: EXTERNAL,
      preserveEntrySignatures: 'allow-extension',
    });
    const dir = join(made, name);
    await bundle.write({ dir, entryFileNames: '[name].js', chunkFileNames: '_[name].js', minify: true });
    const { version } = installed(name);
    const exported = Object.fromEntries(parts.map((part) => [part, `./${fileOf(part)}`]));
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, version, type: 'module', exports: exported }));
  }
  writeFileSync(join(made, stateOfSdks()), '');
  try {
    renameSync(made, bundledSdks);
  } catch {
    // Another run was faster.
    rmSync(made, { recursive: true });
  }
}

function stateOfSdks(): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const name of [...Object.keys(SDKS), '@modelcontextprotocol/core', 'zod', 'rolldown'])
    hash.update(installed(name).version);
  return hash.digest('hex').slice(0, 12);
}

function installed(name: string): { version: string } {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
}
