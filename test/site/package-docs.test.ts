import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { slugify } from '../../site/links.ts';
import { codeOf, readTree } from '../support/house/source.ts';
import { itOnPosix } from '../support/on-posix.ts';

const root = join(import.meta.dirname, '..', '..');
const tree = readTree(root);
const packed = () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
};

/** Pages of `docs/` that texts of the program cite, with the file that cites them. */
const cited = [...tree]
  .filter(([path]) => /^(?:src|bin)\//.test(path))
  .flatMap(([path, text]) =>
    [...codeOf(text, { strings: true }).matchAll(/docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(
      ([page]) => [path, page] as const,
    ),
  );

itOnPosix(
  'programs by their first line',
  'an installed package has the pages that its messages cite, with the headings',
  () => {
    const files = packed();
    expect(cited.length).toBeGreaterThan(5);
    const missing = cited.filter(([, page]) => {
      const [path, anchor] = page.split('#') as [string, string | undefined];
      const headings = [...(tree.get(path) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slugify(heading!));
      return !files.includes(path) || (anchor !== undefined && !headings.includes(anchor));
    });
    expect(missing).toEqual([]);
  },
);

itOnPosix(
  'programs by their first line',
  'an installed package has the pages that the README links to and the skill for coding agents, and nothing of the site',
  () => {
    const files = packed();
    const linked = [...tree.get('README.md')!.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, page]) => page!);
    expect(linked.length).toBeGreaterThan(30);
    expect([...linked, 'docs/errors.md', 'docs/skill/SKILL.md'].filter((page) => !files.includes(page))).toEqual([]);
    expect(files.filter((file) => file.startsWith('site/') || file.endsWith('.png'))).toEqual([]);
  },
);
