import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as rules from './support/house/rules.ts';
import { readTree } from './support/house/source.ts';

const root = join(import.meta.dirname, '..');

describe('the house', () => {
  const tree = readTree(root);

  it('imports go down only, never sideways', () => {
    expect(rules.importsGoDown(tree)).toEqual([]);
  });
  it('no file imports itself in a circle', () => {
    expect(rules.noCycles(tree)).toEqual([]);
  });
  it('timers, dates and randomness live in the kernel', () => {
    expect(rules.timeAndChanceInKernel(tree)).toEqual([]);
  });
  it('each third-party package is named in one room', () => {
    expect(rules.oneRoomPerDependency(tree)).toEqual([]);
  });
  it('the command line starts light', () => {
    expect(rules.lightStart(tree)).toEqual([]);
  });
  it('no source file is long', () => {
    expect(rules.shortFiles(tree)).toEqual([]);
  });
  it('no folder is crowded', () => {
    expect(rules.smallFolders(tree)).toEqual([]);
  });
  it('a file name stands in one folder', () => {
    expect(rules.oneMeaningPerName(tree)).toEqual([]);
  });
  it('files are named in kebab-case', () => {
    expect(rules.kebabCase(tree)).toEqual([]);
  });
  it('exports have names', () => {
    expect(rules.namedExports(tree)).toEqual([]);
  });
  it('any stands beside its reason', () => {
    expect(rules.anyHasReason(tree)).toEqual([]);
  });
  it('no file knows the machine it was written on', () => {
    expect(rules.noForeignPlaces(tree)).toEqual([]);
  });
});

/** Each rule, shown to see what breaks it and to pass what only looks like it. */
describe('the rules', () => {
  const plant = (rule: rules.Rule, files: Record<string, string>) => rule(new Map(Object.entries(files)));

  it('see an import that goes up, or sideways', () => {
    expect(
      plant(rules.importsGoDown, {
        'src/kernel/a.ts': "import { x } from '../protocol/b.ts';",
        'src/cassette/c.ts': "import type { y } from '../match/d.ts';",
        'src/record/e.ts': "export { z } from '../replay/f.ts';",
        'src/channel/g.ts': "const late = await import('../cli/h.ts');",
        'src/attic/i.ts': "import '../kernel/a.ts';",
      }),
    ).toEqual([
      'src/kernel/a.ts:1: kernel (floor 0) imports protocol (floor 1)',
      'src/cassette/c.ts:1: cassette (floor 3) imports match (floor 3)',
      'src/record/e.ts:1: record (floor 4) imports replay (floor 4)',
      'src/channel/g.ts:1: channel (floor 2) imports cli (floor 8)',
      'src/attic/i.ts: room "attic" has no floor',
    ]);
  });

  it('let a room use its own files and those below', () => {
    expect(
      plant(rules.importsGoDown, {
        'src/transports/stdio/a.ts': "import { b } from '../b.ts';\nimport { c } from '../../kernel/c.ts';",
        'src/index.ts': "export { main } from './cli/main.ts';",
        'src/kernel/d.ts': "// import { x } from '../cli/x.ts';",
      }),
    ).toEqual([]);
  });

  it('see a circle, also one that types alone make', () => {
    expect(
      plant(rules.noCycles, {
        'src/match/a.ts': "import { b } from './b.ts';",
        'src/match/b.ts': "import {\n  c,\n} from './c.ts';",
        'src/match/c.ts': "import { a } from './a.ts';",
        'src/match/d.ts': "import type { e } from './e.ts';",
        'src/match/e.ts': "import { d } from './d.ts';",
      }),
    ).toEqual([
      'src/match/a.ts → src/match/b.ts → src/match/c.ts → src/match/a.ts',
      'src/match/d.ts → src/match/e.ts → src/match/d.ts',
    ]);
  });

  it('see time and chance outside the kernel', () => {
    const text = [
      'setTimeout(tick, 5);',
      'const at = Date.now();',
      'const day = new Date(0);',
      'const luck = Math.random();',
      'const seen = performance.now();',
      "import { randomBytes } from 'node:crypto';",
      "import { setTimeout as wait } from 'node:timers/promises';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the planted source
      'const text = `at ${Date.now()}`;',
      'queueMicrotask(tick);',
      'process.nextTick(tick);',
    ].join('\n');
    expect(plant(rules.timeAndChanceInKernel, { 'src/match/a.ts': text })).toEqual([
      'src/match/a.ts:1: setTimeout',
      'src/match/a.ts:2: Date.',
      'src/match/a.ts:3: new Date',
      'src/match/a.ts:4: Math.random',
      'src/match/a.ts:5: performance.',
      'src/match/a.ts:6: randomBytes',
      'src/match/a.ts:7: setTimeout',
      'src/match/a.ts:8: Date.',
      'src/match/a.ts:9: queueMicrotask',
      'src/match/a.ts:10: process.nextTick',
      'src/match/a.ts:7: node:timers/promises',
    ]);
    expect(plant(rules.timeAndChanceInKernel, { 'src/kernel/clock.ts': text })).toEqual([]);
  });

  it('let prose, texts and types speak of time', () => {
    expect(
      plant(rules.timeAndChanceInKernel, {
        'src/match/a.ts': [
          '/** Like setTimeout(), but pure. */',
          "const advice = 'call Date.now() yourself'; // not Math.random()",
          'export function stamp(date: Date): string { return date.toISOString(); }',
        ].join('\n'),
      }),
    ).toEqual([]);
  });

  it('see a package in two rooms', () => {
    expect(
      plant(rules.oneRoomPerDependency, {
        'src/cassette/a.ts': "import { parse } from 'yaml';",
        'src/text-report/b.ts': "const yaml = createRequire(import.meta.url)('yaml'); await import('yaml/util');",
        'src/cassette/c.ts': "import type { Node } from 'yaml';\nimport fs from 'node:fs';",
      }),
    ).toEqual(['yaml: cassette, text-report']);
  });

  it('see a heavy package behind the entry, however far, unless it is loaded late', () => {
    expect(
      plant(rules.lightStart, {
        'src/cli/main.ts':
          "import { Command } from 'commander';\nimport { a } from './a.ts';\nawait import('./late.ts');",
        'src/cli/a.ts': "import { b } from '../cassette/b.ts';\nimport type { c } from '../cassette/c.ts';",
        'src/cli/late.ts': "import 'execa';",
        'src/cassette/b.ts': "import { parse } from 'yaml';",
        'src/cassette/c.ts': "import 'yaml';",
      }),
    ).toEqual(['src/cassette/b.ts:1: yaml is loaded at start']);
  });

  it('see a long file', () => {
    expect(plant(rules.shortFiles, { 'src/match/a.ts': 'x;\n'.repeat(300) })).toEqual([]);
    expect(plant(rules.shortFiles, { 'src/match/a.ts': 'x;\n'.repeat(301) })).toEqual([
      'src/match/a.ts: 301 lines, at most 300',
    ]);
  });

  it('see a crowded folder', () => {
    const files = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`src/match/near/${String.fromCharCode(97 + n)}.ts`, '']),
      );
    expect(plant(rules.smallFolders, files(15))).toEqual([]);
    expect(plant(rules.smallFolders, files(16))).toEqual(['src/match/near: 16 files, at most 15']);
  });

  it('see a name in two folders, unless a command has the name of its room', () => {
    expect(
      plant(rules.oneMeaningPerName, {
        'src/record/http/session.ts': '',
        'src/replay/http/session.ts': '',
        'src/lint/lint.ts': '',
        'src/cli/commands/lint.ts': '',
      }),
    ).toEqual(['session.ts: src/record/http, src/replay/http']);
  });

  it('see a name that is not kebab-case', () => {
    expect(
      plant(rules.kebabCase, {
        'src/match/closeTo.ts': '',
        'src/match/Near.ts': '',
        'src/match/far-off.ts': '',
      }),
    ).toEqual(['src/match/closeTo.ts', 'src/match/Near.ts']);
  });

  it('see a default export', () => {
    expect(
      plant(rules.namedExports, {
        'src/match/a.ts': 'export default 1;',
        'src/match/b.ts': 'export { b as default };',
        'src/match/c.ts': "const text = 'export default 1';",
      }),
    ).toEqual(['src/match/a.ts:1: export default', 'src/match/b.ts:1: as default']);
  });

  it('see an any without a reason', () => {
    expect(
      plant(rules.anyHasReason, {
        'src/match/a.ts': 'let x: any;\nconst y = z as any;\n',
        'src/match/b.ts': '// Node types it so\nlet x: any;\nfoo(any);\nconst { any: one } = two;',
        'src/match/c.ts': "// any\nconst any_ = 'x: any';",
      }),
    ).toEqual(['src/match/a.ts:1: any', 'src/match/a.ts:2: any', 'src/match/b.ts:3: any']);
  });

  it('see the machine, and a registry', () => {
    const places = ['home/ann/notes', 'Users/ann', 'work/main'].map((path) => `/${path}`);
    const registry = ['registry', 'example', 'org'].join('.');
    expect(plant(rules.noForeignPlaces, { 'README.md': [...places, registry].join('\n') })).toEqual([
      `README.md:1: ${places[0]!.replace('/notes', '')}`,
      `README.md:2: ${places[1]}`,
      `README.md:3: ${places[2]}`,
      `README.md:4: ${registry}`,
    ]);
    expect(
      plant(rules.noForeignPlaces, {
        'README.md': 'an URL https://example.com/home/page, a path /tmp/work/x, and a/home/b',
      }),
    ).toEqual([]);
  });
});
