import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROUPS, type Group, sidebarFaults } from '../../site/navigation.ts';
import { readTree } from '../support/house/source.ts';

const markdown = [...readTree(join(import.meta.dirname, '..', '..')).keys()].filter((path) => path.endsWith('.md'));

describe('the sidebar of the site', () => {
  it('has each page of docs/ in exactly one group, and no page that does not exist', () => {
    expect(markdown.length).toBeGreaterThan(40);
    expect(sidebarFaults(GROUPS, markdown)).toEqual({ missing: [], unknown: [], repeated: [] });
  });

  it('has the five groups', () => {
    const titles = GROUPS.map(({ title }) => title);
    expect(titles).toEqual(['Tutorials', 'How-to guides', 'Reference', 'Explanation', 'Contributing']);
  });

  it('says of each page in one line what it is about', () => {
    const pages = GROUPS.flatMap((group) => group.pages);
    for (const { description } of pages) expect(description).toMatch(/^[A-Z].{20,110}\.$/);
    expect(new Set(pages.map(({ description }) => description)).size).toBe(pages.length);
  });
});

describe('the check of the sidebar', () => {
  const page = (source: string) => ({ source, description: '' });
  const group = (...pages: string[]): Group => ({ title: 'Group', pages: pages.map(page) });

  it('finds a page without a group', () => {
    expect(sidebarFaults([group('docs/a.md')], ['docs/a.md', 'docs/b/c.md', 'README.md']).missing).toEqual([
      'docs/b/c.md',
    ]);
  });

  it('finds an entry without a file, and a folder without pages', () => {
    const groups: Group[] = [{ ...group('docs/a.md', 'docs/gone.md'), folders: [{ source: 'docs/b', title: 'B' }] }];
    expect(sidebarFaults(groups, ['docs/a.md']).unknown).toEqual(['docs/gone.md', 'docs/b']);
  });

  it('finds a page in two groups, and one that is in a folder as well', () => {
    const twice = [
      group('docs/a.md'),
      { ...group('docs/a.md', 'docs/b/c.md'), folders: [{ source: 'docs/b', title: 'B' }] },
    ];
    expect(sidebarFaults(twice, ['docs/a.md', 'docs/b/c.md']).repeated).toEqual(['docs/a.md', 'docs/b/c.md']);
  });
});
