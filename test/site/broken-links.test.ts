import { expect, it } from 'vitest';
import { brokenLinks } from '../../site/broken-links.ts';

const pages = (html: Record<string, string>) => new Map(Object.entries(html));

it('links to pages, anchors and files that exist are fine', () => {
  const html = pages({
    'index.html':
      '<a href="/guide/a.html#top">a</a><a href="./guide/">b</a><a href="./">home</a><a href="https://example.com/">c</a><a href="#">d</a>',
    'guide/index.html': '<a href="../index.html">a</a><img src="/assets/a.png"><script src="data:,"></script>',
    'guide/a.html': '<h2 id="top">a</h2><a href="#top">a</a><a href="#t%C3%B6p">b</a><p id="töp">',
  });
  expect(brokenLinks(html, new Set([...html.keys(), 'assets/a.png']))).toEqual([]);
});

it('a link to a page, an anchor or a file that is missing is broken', () => {
  const html = pages({
    'index.html': '<a class="x" href="/b.html">a</a><a href="#gone">b</a><a href="a.html#gone&amp;lost">c</a>',
    'a.html': '<img alt="" src="/assets/a.png"><link rel="preload" href="/assets/a.js">',
  });
  expect(brokenLinks(html, new Set(html.keys()))).toEqual([
    'index.html: /b.html',
    'index.html: #gone',
    'index.html: a.html#gone&lost',
    'a.html: /assets/a.png',
    'a.html: /assets/a.js',
  ]);
});
