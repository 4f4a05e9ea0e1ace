import { posix } from 'node:path';

/** Where the links of a page lead. */
export interface LinkTargets {
  /** Path of the page from the root of the repository. */
  source: string;
  /** Paths of the pages on the site by their paths in the repository. */
  pages: ReadonlyMap<string, string>;
  /** Address of the files of the repository. Absent: a link to a file that is not a page becomes plain text. */
  repository?: string | undefined;
}

/** Extensions of files that the site takes along. */
const ASSET = /\.(?:png|svg|gif|jpe?g)$/;

const FENCE = /^ *```.*\n[\s\S]*?^ *```.*$/gm;
/** A span of code, which stays as it is, or a link, whose text may have spans of code and brackets. */
const CODE_OR_LINK = /(`+)[\s\S]*?\1|(!?)\[((?:`[^`]*`|[^[\]`]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g;

/** Rewrites the relative links of a page for its place on the site. */
export function rewriteLinks(markdown: string, targets: LinkTargets): string {
  return outsideFences(markdown, (text) =>
    text.replaceAll(CODE_OR_LINK, (whole, code: string | undefined, image: string, label: string, link: string) => {
      if (code !== undefined || /^(?:[a-z]+:|#)/.test(link)) return whole;
      const target = rewritten(link, targets);
      // An image within a label is not a link of its own.
      return target === undefined ? label : `${image}[${label}](${target})`;
    }),
  );
}

function rewritten(link: string, { source, pages, repository }: LinkTargets): string | undefined {
  const [path = '', anchor] = link.split('#', 2);
  const file = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  const page = pages.get(file) ?? pages.get(`${file}/README.md`);
  const own = posix.dirname(pages.get(source) ?? source);
  if (page !== undefined) return relative(own, page) + (anchor === undefined ? '' : `#${anchor}`);
  if (ASSET.test(file) && file.startsWith('docs/')) return relative(own, file.slice('docs/'.length));
  return repository === undefined ? undefined : `${repository}/${file}${anchor === undefined ? '' : `#${anchor}`}`;
}

function relative(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Changes the text of a document except its blocks of code. */
export function outsideFences(markdown: string, change: (text: string) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: block, index } of markdown.matchAll(FENCE)) {
    parts.push(change(markdown.slice(end, index)), block);
    end = index + block.length;
  }
  return [...parts, change(markdown.slice(end))].join('');
}

/** Returns the anchor of a heading, as code hosts make it. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
