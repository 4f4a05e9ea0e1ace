import { describe, expect, it } from 'vitest';
import { rewriteLinks, slugify } from '../../site/links.ts';

const pages = new Map([
  ['README.md', 'index.md'],
  ['SECURITY.md', 'security.md'],
  ['examples/README.md', 'examples.md'],
  ['docs/cli.md', 'cli.md'],
  ['docs/decisions/0001-a.md', 'decisions/0001-a.md'],
]);
const rewrite = (source: string, markdown: string, repository?: string) =>
  rewriteLinks(markdown, { source, pages, repository });

describe('a link of a page', () => {
  it.each([
    ['docs/cli.md', '[one](decisions/0001-a.md)', '[one](./decisions/0001-a.md)'],
    ['docs/decisions/0001-a.md', '[up](../cli.md#options)', '[up](../cli.md#options)'],
    ['docs/cli.md', '[security](../SECURITY.md)', '[security](./security.md)'],
    [
      'docs/cli.md',
      '[examples](../examples/README.md), [examples](../examples)',
      '[examples](./examples.md), [examples](./examples.md)',
    ],
    ['README.md', '[the `cli`](docs/cli.md#a), [b](docs/cli.md)', '[the `cli`](./cli.md#a), [b](./cli.md)'],
    ['docs/cli.md', '![calls](report/calls.png)', '![calls](./report/calls.png)'],
    [
      'docs/cli.md',
      '[here](#options), [there](https://example.com/a.md)',
      '[here](#options), [there](https://example.com/a.md)',
    ],
  ])('of %s leads to a page: %s', (source, before, after) => {
    expect(rewrite(source, before)).toBe(after);
  });

  it('to a file that is not a page becomes plain text', () => {
    expect(rewrite('docs/cli.md', 'See [the `code`](../src/a.ts) [x] and [b](../examples/ci).')).toBe(
      'See the `code` [x] and b.',
    );
  });

  it('to a file that is not a page leads to the repository, if its address is known', () => {
    expect(rewrite('docs/cli.md', '[code](../src/a.ts#L3)', 'https://example.com/blob/main')).toBe(
      '[code](https://example.com/blob/main/src/a.ts#L3)',
    );
  });

  it('stays as it is in code', () => {
    const text = 'Write `[a](../src/a.ts)`.\n\n```md\n[a](../src/a.ts)\n```\n';
    expect(rewrite('docs/cli.md', `${text}[a](../src/a.ts)`)).toBe(`${text}a`);
  });
});

it('a heading has the anchor that code hosts give it', () => {
  expect(
    ['What `when` describes', 'mcp.own(endpoint)', 'A, b & C_d', 'ÜBER'].map((text) =>
      slugify(text.replaceAll('`', '')),
    ),
  ).toEqual(['what-when-describes', 'mcpownendpoint', 'a-b--c_d', 'über']);
});
