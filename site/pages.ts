import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { rewriteLinks } from './links.ts';
import { GROUPS, type Group, type Page } from './navigation.ts';

/** The root of the repository. */
export const ROOT: string = join(import.meta.dirname, '..');

/** A page as the site has it. */
export interface SitePage {
  /** Path on the site. */
  path: string;
  title: string;
  description: string;
  /** Title of its folder within the group. */
  folder?: string | undefined;
}

/** A group of the sidebar with its pages. */
export interface SiteGroup {
  title: string;
  pages: SitePage[];
}

/** The Markdown files outside `docs/` whose name on the site differs. */
const PATHS: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CONTRIBUTING.md': 'contribute.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'CODE_OF_CONDUCT.md': 'code-of-conduct.md',
  'examples/README.md': 'examples.md',
};

/** Returns the path on the site of a file of the repository. */
function pathOf(source: string): string {
  return PATHS[source] ?? source.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

/** Writes the pages of the repository into a folder, as VitePress reads them, and returns the groups of the sidebar. */
export function stagePages(folder: string): SiteGroup[] {
  rmSync(folder, { recursive: true, force: true });
  const groups = GROUPS.map((group) => ({ title: group.title, pages: pagesOf(group) }));
  const sources = ['README.md', ...groups.flatMap(({ pages }) => pages.map(({ source }) => source))];
  const pages = new Map(sources.map((source) => [source, pathOf(source)]));
  const repository = repositoryFiles();
  const markdownOf = (source: string) =>
    rewriteLinks(readFileSync(join(ROOT, source), 'utf8'), { source, pages, repository });
  for (const [source, path] of pages) {
    if (source !== 'README.md') write(join(folder, path), markdownOf(source));
  }
  write(join(folder, 'index.md'), homePage(markdownOf('README.md')));
  // The page that the README leads to is for readers of the repository.
  const filter = (path: string) => !path.endsWith('.html');
  for (const pictures of ['report', 'demo.svg'])
    cpSync(join(ROOT, 'docs', pictures), join(folder, pictures), { recursive: true, filter });
  const described = groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({
      path: pathOf(page.source),
      title: page.title ?? headingOf(readFileSync(join(ROOT, page.source), 'utf8')),
      description: page.description,
      folder: page.folder,
    })),
  }));
  return described.map(({ title, pages }) => ({ title, pages: withFolderPages(folder, pages) }));
}

/** Writes a first page for each folder that has none, with a link to each of its pages, and returns all pages. */
function withFolderPages(folder: string, pages: readonly SitePage[]): SitePage[] {
  return pages.flatMap((page, index) => {
    const isFirst = page.folder !== undefined && pages[index - 1]?.folder !== page.folder;
    const path = posix.join(posix.dirname(page.path), 'index.md');
    if (!isFirst || page.path === path) return [page];
    const own = pages.filter((one) => one.folder === page.folder);
    const list = own.map((one) => `- [${one.title}](${posix.relative(posix.dirname(path), one.path)})`);
    write(join(folder, path), `# ${page.folder}\n\n${list.join('\n')}\n`);
    return [{ path, title: page.folder!, description: '', folder: page.folder }, page];
  });
}

/** Returns the pages of a group, with those of its folders last. */
function pagesOf({ pages, folders = [] }: Group): (Page & { folder?: string })[] {
  const inFolders = folders.flatMap(({ source, title }) =>
    readdirSync(join(ROOT, source))
      .filter((name) => name.endsWith('.md'))
      .sort((a, b) => Number(b === 'README.md') - Number(a === 'README.md') || a.localeCompare(b))
      .map((name) => ({ source: `${source}/${name}`, description: '', folder: title })),
  );
  return [...pages, ...inFolders];
}

/** Returns the address of the files of the repository, if package.json names one. */
function repositoryFiles(): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    repository?: { url: string };
  };
  return repository && `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/main`;
}

/** Returns the first page: a title and links, then the README up to its list of pages. */
function homePage(readme: string): string {
  const [, picture = '', tagline = '', rest = ''] =
    /^# .*\n\n(!.*\n\n)?(?:<a .*\n\n)?(.*)\n([\s\S]*?)^## Documentation$/m.exec(readme) ?? [];
  const hero = {
    name: 'mcp-record',
    text: 'Test MCP clients and servers',
    tagline: tagline.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
    actions: [
      { theme: 'brand', text: 'Get started', link: '/getting-started' },
      { theme: 'alt', text: 'Mock a server', link: '/mock' },
      { theme: 'alt', text: 'Command line', link: '/cli' },
    ],
  };
  return `---\n${JSON.stringify({ layout: 'home', title: 'mcp-record', titleTemplate: false, hero })}\n---\n\n${picture}${rest}`;
}

/** Returns the first heading of a page, without marks. */
export function headingOf(markdown: string): string {
  const [, heading = ''] = /^# (.*)$/m.exec(markdown) ?? [];
  return heading.replaceAll(/[`*]/g, '').replaceAll(/\\(.)/g, '$1');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
