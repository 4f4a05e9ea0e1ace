import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig, type SiteConfig } from 'vitepress';
import { writeApiReference } from '../api-reference.ts';
import { brokenLinks } from '../broken-links.ts';
import { slugify } from '../links.ts';
import { literalText } from '../literal-text.ts';
import { agentTexts } from '../llms.ts';
import { API_GROUP, OPTIONAL_GROUPS } from '../navigation.ts';
import { ROOT, type SiteGroup, type SitePage, stagePages } from '../pages.ts';

/** Path of the page that opens cassettes. */
const VIEWER = 'viewer.html';
const SOURCES = join(ROOT, 'site', '.generated');
const { name, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  'name' | 'description',
  string
>;

const groups = stagePages(SOURCES);
const api = await writeApiReference(join(SOURCES, 'api'));
const all: SiteGroup[] = groups.map((group) =>
  group.title === API_GROUP
    ? { ...group, pages: [...group.pages, ...api.map((page) => ({ ...page, folder: 'API' }))] }
    : group,
);
const descriptions = new Map(all.flatMap(({ pages }) => pages.map((page) => [page.path, page.description])));

export default defineConfig({
  title: name,
  description,
  srcDir: '.generated',
  outDir: 'dist',
  cacheDir: join(ROOT, 'node_modules', '.cache', 'vitepress'),
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  transformPageData: (page) => ({ description: descriptions.get(page.relativePath) || description }),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    attrs: { disable: true },
    anchor: { slugify },
    config: literalText,
  },
  themeConfig: {
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Command line', link: '/cli' },
      { text: 'API', link: '/api/' },
      { text: 'Changes', link: '/changelog' },
      // No page of the site's own app: the browser has to load it.
      { text: 'Open a cassette', link: `/${VIEWER}`, target: '_self' },
    ],
    sidebar: all.map(({ title, pages }) => ({ text: title, items: itemsOf(pages) })),
    outline: [2, 3],
    search: {
      provider: 'local',
      // Guides come before what is looked up, and that before what contributors read.
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) => (/^\/(?:api|decisions|discoveries|changelog)/.test(id) ? 0.3 : 1),
          },
        },
      },
    },
  },
  vite: {
    // The theme's own home page has no main landmark.
    resolve: {
      alias: [{ find: /^.*\/VPHome\.vue$/, replacement: join(ROOT, 'site', '.vitepress', 'theme', 'HomePage.vue') }],
    },
    build: { chunkSizeWarningLimit: 2000 },
  },
  buildEnd: finish,
});

/** Returns the items of a group: pages, then a folded list for each folder, whose title leads to its first page. */
function itemsOf(pages: readonly SitePage[]): DefaultTheme.SidebarItem[] {
  const item = ({ title, path }: SitePage) => ({ text: title, link: `/${path.replace(/(?:index)?\.md$/, '')}` });
  const folders = [...new Set(pages.flatMap(({ folder }) => folder ?? []))];
  return [
    ...pages.filter(({ folder }) => folder === undefined).map(item),
    ...folders.map((text) => {
      const [index, ...rest] = pages.filter(({ folder }) => folder === text);
      return { ...item(index!), text, collapsed: true, items: rest.map(item) };
    }),
  ];
}

/** Adds the texts for coding agents and the page that opens cassettes to the built site, and checks its links. */
function finish({ outDir }: SiteConfig): void {
  const textOf = (path: string) => readFileSync(join(SOURCES, path), 'utf8');
  const texts = agentTexts({ name, summary: description, groups: all, optional: OPTIONAL_GROUPS, textOf });
  writeFileSync(join(outDir, 'llms.txt'), texts.index);
  writeFileSync(join(outDir, 'llms-full.txt'), texts.full);
  for (const { pages } of all) for (const { path } of pages) cpSync(join(SOURCES, path), join(outDir, path));
  const program = join(ROOT, 'bin', 'mcp-record.js');
  execFileSync(process.execPath, [program, 'report', '--viewer', '-o', join(outDir, VIEWER)]);
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  // The viewer has no link, and strings of its script look like some.
  const html = files.filter((file) => file.endsWith('.html') && file !== VIEWER);
  const broken = brokenLinks(
    new Map(html.map((file) => [file, readFileSync(join(outDir, file), 'utf8')])),
    new Set(files),
  );
  if (broken.length > 0) throw new Error(`${broken.length} links of the site lead nowhere:\n${broken.join('\n')}`);
}
