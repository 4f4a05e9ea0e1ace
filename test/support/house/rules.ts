import { posix } from 'node:path';
import { codeOf, importsOf, lineAt, roomOf, type Tree } from './source.ts';

/** The house: each room stands on one floor and may use only the rooms below it. */
export const FLOORS: Readonly<Record<string, number>> = {
  kernel: 0,
  protocol: 1,
  channel: 2,
  transports: 3,
  cassette: 3,
  match: 3,
  redact: 3,
  faults: 3,
  journal: 3,
  record: 4,
  replay: 4,
  lint: 4,
  'text-report': 4,
  contract: 4,
  convert: 4,
  scenario: 5,
  'fault-proxy': 5,
  verify: 5,
  diff: 5,
  edit: 5,
  'html-report': 5,
  fork: 6,
  restart: 6,
  load: 6,
  sweep: 6,
  modes: 5,
  traces: 5,
  mock: 6,
  viewer: 6,
  ui: 7,
  adapters: 7,
  cli: 8,
  'index.ts': 9,
};

/** Says what in the tree breaks the rule, each as `path:line: what`. Empty: nothing does. */
export type Rule = (tree: Tree) => string[];

/** Imports go down only, never sideways into another room of the same floor; a room may use its own files. */
export const importsGoDown: Rule = (tree) =>
  sourcesOf(tree).flatMap(([path, text]) =>
    importsOf(text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .flatMap(({ specifier, line }) => {
        const from = roomOf(path);
        const to = roomOf(resolve(path, specifier));
        if (from === to) return [];
        const floor = FLOORS[from];
        const below = FLOORS[to];
        if (floor === undefined) return [`${path}: room "${from}" has no floor`];
        if (below === undefined) return [`${path}:${line}: room "${to}" has no floor`];
        return below < floor ? [] : [`${path}:${line}: ${from} (floor ${floor}) imports ${to} (floor ${below})`];
      }),
  );

/** No file reaches itself through its imports, type-only ones included. */
export const noCycles: Rule = (tree) => {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of localImports(tree, path, { types: true })) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const [path] of sourcesOf(tree)) visit(path, []);
  return found;
};

const TIME_AND_CHANCE =
  /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|process\s*\.\s*nextTick|performance\s*\.|new Date\b|Date\s*\(|Date\s*\.|Math\s*\.\s*random|hrtime|randomBytes|randomUUID|randomInt|randomFill\w*|getRandomValues)/g;

/** Takes from `node:perf_hooks` what counts durations, and no clock. */
const COUNTS_DURATIONS = 'src/load/duration-histogram.ts';

/** Timers, microtasks, dates and randomness come from the kernel, so that a test can hold them still, or fake its own. */
export const timeAndChanceInKernel: Rule = (tree) =>
  sourcesOf(tree)
    .filter(([path]) => roomOf(path) !== 'kernel')
    .flatMap(([path, text]) => [
      ...hits(path, codeOf(text, { strings: false }), TIME_AND_CHANCE),
      ...importsOf(text)
        .filter(({ specifier }) => /^node:(timers|perf_hooks)/.test(specifier) && path !== COUNTS_DURATIONS)
        .map(({ specifier, line }) => `${path}:${line}: ${specifier}`),
    ]);

/** Each third-party package is known to one room, which can then be changed or thrown away alone. */
export const oneRoomPerDependency: Rule = (tree) => {
  const rooms = new Map<string, Set<string>>();
  for (const [path, text] of sourcesOf(tree)) {
    for (const { specifier } of importsOf(text)) {
      if (/^(\.|node:)/.test(specifier)) continue;
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      rooms.set(name, (rooms.get(name) ?? new Set()).add(roomOf(path)));
    }
  }
  return [...rooms].filter(([, in_]) => in_.size > 1).map(([name, in_]) => `${name}: ${[...in_].join(', ')}`);
};

const LIGHT_PACKAGES = new Set(['commander', 'picocolors']);

/** What the command line loads before it knows the command: heavy packages are imported when they are needed. */
export const lightStart: Rule = (tree) => {
  const seen = new Set<string>();
  const reach = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    localImports(tree, path).forEach(reach);
  };
  if (tree.has(ENTRY)) reach(ENTRY);
  return [...seen].flatMap((path) =>
    importsOf(tree.get(path)!)
      .filter(({ specifier, lazy, typeOnly }) => !lazy && !typeOnly && /^(?!\.|node:)/.test(specifier))
      .filter(({ specifier }) => !LIGHT_PACKAGES.has(specifier))
      .map(({ specifier, line }) => `${path}:${line}: ${specifier} is loaded at start`),
  );
};

const ENTRY = 'src/cli/main.ts';
const LINES_MAX = 300;

export const shortFiles: Rule = (tree) =>
  sourcesOf(tree)
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${LINES_MAX}`);

const FILES_MAX = 15;

/** A folder with more files is two folders. */
export const smallFolders: Rule = (tree) => {
  const counts = new Map<string, number>();
  for (const [path] of sourcesOf(tree)) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FILES_MAX)
    .map(([folder, count]) => `${folder}: ${count} files, at most ${FILES_MAX}`);
};

/** Files whose name another folder has as well: a command beside the room that does its work, a format in both directions. */
const SHARED_NAMES = new Set([
  'cassette.ts',
  'cut.ts',
  'har.ts',
  'lint.ts',
  'main.ts',
  'mock.ts',
  'ndjson.ts',
  'progress.ts',
  'sweep.ts',
  'wrap.ts',
]);

/** A file name means one thing, so it stands in one folder. */
export const oneMeaningPerName: Rule = (tree) => {
  const folders = new Map<string, string[]>();
  for (const [path] of sourcesOf(tree)) {
    const name = posix.basename(path);
    folders.set(name, [...(folders.get(name) ?? []), posix.dirname(path)]);
  }
  return [...folders]
    .filter(([name, places]) => places.length > 1 && !SHARED_NAMES.has(name))
    .map(([name, places]) => `${name}: ${places.join(', ')}`);
};

export const kebabCase: Rule = (tree) =>
  sourcesOf(tree)
    .map(([path]) => path)
    .filter((path) => !path.split('/').every((name) => /^[a-z0-9]+(-[a-z0-9]+)*(\.tsx?)?$/.test(name)));

export const namedExports: Rule = (tree) =>
  sourcesOf(tree).flatMap(([path, text]) =>
    hits(path, codeOf(text, { strings: false }), /\bexport\s+default\b|\bas default\b/g),
  );

/** `any` stands only beside its reason: a comment on its line or the line above. */
export const anyHasReason: Rule = (tree) =>
  sourcesOf(tree).flatMap(([path, text]) => {
    const lines = text.split('\n');
    const hasComment = (line: number) => /\/\/|\*\//.test(lines[line - 1] ?? '');
    return hits(path, codeOf(text, { strings: false }), /(?<=[:<|&,(=]\s*|\bas\s+)any\b(?!\s*:)/g).filter((hit) => {
      const line = Number(hit.split(':')[1]);
      return !hasComment(line) && !hasComment(line - 1);
    });
  });

// A folder of one machine, a home folder, or the address of a package registry.
const ELSEWHERE = /(?<![\w./-])\/(?:work|root|Users|home)\/[\w.-]+|\.\.\/shared\b|\bregistry\.[a-z]+\.(?:org|com)\b/g;

/** No file knows the machine it was written on, nor where packages come from. */
export const noForeignPlaces: Rule = (tree) => [...tree].flatMap(([path, text]) => hits(path, text, ELSEWHERE));

function sourcesOf(tree: Tree): [path: string, text: string][] {
  return [...tree].filter(([path]) => path.startsWith('src/'));
}

function resolve(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}

function localImports(tree: Tree, path: string, { types } = { types: false }): string[] {
  return importsOf(tree.get(path) ?? '')
    .filter(({ specifier, lazy, typeOnly }) => specifier.startsWith('.') && !lazy && (types || !typeOnly))
    .map(({ specifier }) => resolve(path, specifier))
    .filter((target) => tree.has(target));
}

function hits(path: string, code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map((match) => `${path}:${lineAt(code, match.index)}: ${match[0].trim()}`);
}
