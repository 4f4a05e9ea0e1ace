import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const described = JSON.parse(read('package.json')) as Record<'scripts' | 'dependencies', Record<string, string>>;

/** Rows of the tables of a page, without their heads. */
const rowsOf = (page: string) =>
  page
    .split(/^\|(?:-+\|)+$/m)
    .slice(1)
    .flatMap((table) =>
      table.split('\n').slice(
        1,
        table.split('\n').findIndex((line, n) => n > 0 && line === ''),
      ),
    )
    .map((line) => line.split('|').slice(1, -1));
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

describe.each(['SECURITY.md', 'docs/reliability.md'])('%s', (page) => {
  it('names tests and commands that there are', () => {
    const missing = quoted(read(page)).filter((word) => {
      if (/^(?:test|bench|\.ci)\//.test(word)) return !existsSync(join(root, word));
      const [, script] = /^npm run (\S+)/.exec(word) ?? [];
      const [, file] = /(?:^| )(?:node|vitest run) ((?:bench|test)\/\S+)/.exec(word) ?? [];
      return (script && !(script in described.scripts)) || (file && !existsSync(join(root, file)));
    });
    expect(missing).toEqual([]);
  });
});

it('each promise of SECURITY.md names what shows it', () => {
  const promises = rowsOf(read('SECURITY.md'));
  expect(promises.length).toBeGreaterThan(10);
  const unshown = promises.filter(([, shown = '']) => !quoted(shown).some((word) => /^(?:test\/|npm )/.test(word)));
  expect(unshown).toEqual([]);
});

const licences = read('dist/bin/LICENSES.txt') + read('dist/report/LICENSES.txt');
/** The packages whose code is part of the program, or of the report page. */
const bundled = [...licences.matchAll(/^# ((?:@[\w-]+\/)?[\w.-]+)$/gm)].map(([, name]) => name!);

it('each package that is installed with ours, part of it, or used for the site is accounted for in docs/dependencies.md, and no other', () => {
  const told = rowsOf(read('docs/dependencies.md')).map(([name = '']) => quoted(name)[0]);
  const ofSite = Object.keys(JSON.parse(read('site/package.json')).devDependencies);
  const used = new Set([...Object.keys(described.dependencies), ...bundled, ...ofSite]);
  expect(told.sort()).toEqual([...used].sort());
});

it('each package that is part of the program has its licence beside it', () => {
  expect(bundled.length).toBeGreaterThan(0);
  for (const name of bundled) {
    const [file, about] = [
      join('node_modules', name, 'LICENSE'),
      JSON.parse(read(`node_modules/${name}/package.json`)),
    ];
    // Some packages only name it.
    const licence = existsSync(join(root, file))
      ? read(file)
      : `${about.license}, ${about.author.name ?? about.author}`;
    expect(licences).toContain(`# ${name}\n\n${licence}`);
  }
});

it('what the program imports is a part of Node, of it, or installed with it', () => {
  const code = readdirSync(join(root, 'dist', 'bin')).map((name) => read(join('dist', 'bin', name)));
  const named = code.flatMap((text) => [
    ...text.matchAll(/^(?:import|export)\b.* from "(.*)";$|\b(?:import|require)\("(.*?)"\)/gm),
  ]);
  const packages = named.map(([, from, late]) => from ?? late!).filter((name) => !name.startsWith('.'));
  // Without it, `record --proxy` says how to install it: the only optional package of the program.
  const known = [...Object.keys(described.dependencies), ...builtinModules, 'node-forge'];
  const isKnown = (name: string) => known.includes(name) || known.includes(name.split('/')[0]!);
  expect(packages.filter((name) => !name.startsWith('node:') && !isKnown(name))).toEqual([]);
  expect(packages).toContain('jest-diff');
});

describe('the release workflow', () => {
  const workflow = read('.github/workflows/release.yml');

  it('pins each action by commit, and says which version that is', () => {
    const actions = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('publishes with provenance, after all checks and the audit, with no more rights than that takes', () => {
    expect(workflow).toMatch(/^permissions: \{\}$/m);
    expect(workflow).toMatch(/permissions:\n +contents: read\n +id-token: write\n/);
    const commands = [...workflow.matchAll(/run: (.*)/g)].map(([, command]) => command!);
    expect(commands.at(-1)).toBe('npm publish --provenance --access public');
    expect(commands).toContain('.ci/run');
    expect(commands.some((command) => /npm audit(?! --omit)/.test(command))).toBe(true);
  });
});
