import type { SiteGroup, SitePage } from './pages.ts';

/** Texts of the site for coding agents. */
export interface AgentTexts {
  /** Index of the pages, with one line each: llms.txt. */
  index: string;
  /** All pages of a user, one after the other: llms-full.txt. */
  full: string;
}

/** Describes a site whose pages have these texts. */
export function agentTexts(options: {
  name: string;
  summary: string;
  groups: readonly SiteGroup[];
  /** Titles of groups that a reader may skip. */
  optional: readonly string[];
  textOf: (path: string) => string;
}): AgentTexts {
  const { name, summary, groups, optional, textOf } = options;
  const isOptional = ({ title }: SiteGroup) => optional.includes(title);
  const needed = groups.filter((group) => !isOptional(group));
  const rest = groups.filter(isOptional).flatMap(({ pages }) => pages);
  const sections = [...needed, ...(rest.length > 0 ? [{ title: 'Optional', pages: rest }] : [])];
  const list = ({ title, pages }: SiteGroup) => [`## ${title}`, '', ...pages.map(lineOf), ''];
  return {
    index: [`# ${name}`, '', `> ${summary}`, '', ...sections.flatMap(list)].join('\n'),
    full: needed
      .flatMap(({ pages }) => pages)
      .map(({ path }) => `<!-- ${path} -->\n\n${textOf(path).trim()}\n`)
      .join('\n'),
  };
}

function lineOf({ title, path, description }: SitePage): string {
  return `- [${title}](${path})${description === '' ? '' : `: ${description}`}`;
}
