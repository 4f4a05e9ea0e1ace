import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface RealCassette {
  file: string;
  text: string;
}

const root = join(import.meta.dirname, '..', '..');
const FOLDERS = ['cassettes', 'examples'];

/** Every session of this repository that was recorded, once. */
export const REAL_CASSETTES: readonly RealCassette[] = unique(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.probe)\.yaml$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(root, folder, name)),
  )
    .map((path) => ({ file: relative(root, path), text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => text.includes('format: mcp-record/1')),
);

function unique(cassettes: readonly RealCassette[]): RealCassette[] {
  return [...new Map(cassettes.map((cassette) => [cassette.text.replace(/^recorded: .*$/m, ''), cassette])).values()];
}
