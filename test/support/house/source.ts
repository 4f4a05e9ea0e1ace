import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files by path from the root of the repository, with `/` whatever the platform. */
export type Tree = ReadonlyMap<string, string>;

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.bench', '.generated', '.temp']);

/** Every file of the repository, as text: all but what is fetched, built or git's own. */
export function readTree(root: string): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) tree.set(path, readFileSync(join(root, path), 'utf8'));
    }
  };
  walk('');
  return tree;
}

/** A file's room: the folder under `src/`, or the file's own name for those that stand outside any room. */
export function roomOf(path: string): string {
  const [, room = ''] = path.split('/');
  return room;
}

// One alternative each: line comment, block comment, string, template, regular expression after an operator.
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*|\breturn\s)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g;

/** The text with comments, and with `strings: false` also strings and patterns, blanked out; lines stay where they were. */
export function codeOf(text: string, { strings }: { strings: boolean }): string {
  return text.replace(TOKEN, (token) => {
    const isComment = token.startsWith('//') || token.startsWith('/*');
    if (isComment) return token.replace(/[^\n]/g, ' ');
    if (strings) return token;
    // A template is blanked but for what it computes.
    return token.startsWith('`')
      ? token.replace(/(\$\{[^}]*\})|[^\n]/g, (_, computed?: string) => computed ?? ' ')
      : token.replace(/[^\n]/g, ' ');
  });
}

/** One import of a file: static ones run at load, lazy ones (`import()`, `require()`) when reached. */
export interface Import {
  line: number;
  specifier: string;
  lazy: boolean;
  typeOnly: boolean;
}

const STATIC = /^[ \t]*(?:import|export)\b(?<clause>[^;'"()]*?\bfrom)?\s*['"](?<specifier>[^'"]+)['"]/gm;
const LAZY = /\b(?:import|require)\(\s*['"](?<specifier>[^'"]+)['"]/g;

export function importsOf(text: string): Import[] {
  const code = codeOf(text, { strings: true });
  const found = (pattern: RegExp, lazy: boolean) =>
    [...code.matchAll(pattern)].map(({ index, groups }) => ({
      line: lineAt(code, index),
      specifier: groups!.specifier!,
      lazy,
      typeOnly: /^\s*type\b/.test(groups!.clause ?? ''),
    }));
  return [...found(STATIC, false), ...found(LAZY, true)];
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
