import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { recentNode } from '../../support/recent-node.ts';

/** Together they weigh 270 MB and want Node 24: they are fetched for the test, and no dependencies of ours. */
export const PACKAGES = [
  'mcp-remote@0.15.1',
  'mcp-proxy@6.7.19',
  '@modelcontextprotocol/inspector@2.12.0',
  'mcporter@0.12.3',
  '@ai-sdk/mcp@2.0.99',
];

/** Programs of this folder that run on those packages. */
const PROGRAMS = ['ai-sdk', 'ai-sdk-authorized', 'ai-sdk-events'];

/** Programs of other people, installed in a folder. */
export interface Installed {
  /** A program by its name, or a file of this folder. */
  program(name: string, ...args: string[]): Command;
  /** What it writes to stdout when it is run, but for addresses and times. */
  told(name: string, ...args: string[]): Promise<string>;
}

/** Installs them all in an empty folder. */
export async function install(folder: string): Promise<Installed> {
  writeFileSync(join(folder, 'package.json'), '{}');
  for (const name of PROGRAMS) copyFileSync(join(import.meta.dirname, `${name}.js`), join(folder, `${name}.mjs`));
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status, stderr } = await run({
    command: 'npm',
    args: ['install', ...options, ...PACKAGES],
  });
  if (status !== 0) throw new Error(stderr);
  const node = recentNode(24);
  // They keep their files at home.
  const env = { HOME: folder };
  const program = (name: string, ...args: string[]): Command => {
    const file = PROGRAMS.includes(name) ? `${name}.mjs` : join('node_modules', '.bin', name);
    return { command: node, args: [join(folder, file), ...args], env };
  };
  return {
    program,
    async told(name, ...args) {
      const ended = await run(program(name, ...args));
      if (ended.status !== 0) throw new Error(`${name} ended with ${ended.status}: ${ended.stderr}`);
      return String(ended.stdout)
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<server>')
        .replaceAll(/"(durationMs|latencyMs)": \d+/g, '"$1": <time>');
    },
  };
}
