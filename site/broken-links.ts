import { posix } from 'node:path';

/** Returns the links of built pages that lead nowhere, each as `page: link`. `pages` has HTML by path, `files` all paths. */
export function brokenLinks(pages: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]));
  return [...pages].flatMap(([path, html]) =>
    linksOf(html)
      .filter((link) => !/^(?:[a-z]+:|\/\/)/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#', 2);
        const target = file === '' ? path : targetOf(path, file);
        if (!files.has(target)) return true;
        return anchor !== undefined && anchor !== '' && !anchors.get(target)?.has(decodeURIComponent(anchor));
      })
      .map((link) => `${path}: ${link}`),
  );
}

function targetOf(page: string, file: string): string {
  const path = decodeURIComponent(file.startsWith('/') ? file.slice(1) : posix.join(posix.dirname(page), file));
  return path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path;
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, link]) =>
    link!.replaceAll('&amp;', '&'),
  );
}

function anchorsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!));
}
