import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../src/cassette/read/parse-cassette.ts';
import { mcpRecord } from './support/command.ts';
import { codeOf, readTree } from './support/house/source.ts';

const root = join(import.meta.dirname, '..');
const tree = readTree(root);
const documents = [...tree].filter(([path]) => path.endsWith('.md'));
const listed = [...tree.get('docs/errors.md')!.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code!);

it('a file that a page names is there', () => {
  const names = new Set([...tree.keys()].map((path) => posix.basename(path)));
  const missing = documents.flatMap(([page, text]) =>
    [...text.matchAll(/`(?:[\w-]+\/)*([a-z][\w.-]*\.(?:ts|js))`/g)]
      .filter(([, name]) => !names.has(name!))
      .map(([written]) => `${page}: ${written}`),
  );
  expect(missing).toEqual([]);
});

describe('the page of errors', () => {
  /** Each mistake on the command line, by the code it is answered with. */
  const mistakes: [code: string, ...args: string[]][] = [
    ['USAGE_HELP'],
    ['USAGE_UNKNOWN_COMMAND', 'rewind'],
    ['USAGE_UNKNOWN_OPTION', 'show', '--fast', 'cassette.yaml'],
    ['USAGE_MISSING_ARGUMENT', 'replay'],
    ['USAGE_EXCESS_ARGUMENTS', 'show', 'one.yaml', 'two.yaml'],
    ['USAGE_MISSING_MANDATORY_OPTION_VALUE', 'record', 'node', 'server.js'],
    ['USAGE_OPTION_MISSING_ARGUMENT', 'record', '-o'],
  ];

  it.each(mistakes)('%s is what it says it is', (code, ...mistake) => {
    const { command, args } = mcpRecord(...mistake);
    const { stderr, stdout, status } = spawnSync(command, args, { encoding: 'utf8' });
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect([stdout, status]).toEqual(['', 2]);
  });

  it('lists each error there is, and no other', () => {
    const written = [...tree]
      .filter(([path]) => path.startsWith('src/'))
      .flatMap(([, text]) => [
        ...codeOf(text, { strings: true }).matchAll(
          /'((?:BODY|CASSETTE|CLOCK|CONTROL|DEMO|ENDPOINT|HANDLER|HEADER|JOURNAL|MATCHER|MOCK|MODE|OPTION|OTLP|PEER|PROXY|PRUNE|RECORDING|USAGE|COMMAND|HTTP|FAULTS?|FORK|LOAD|SCENARIO|SECRETS|SERVER|SESSION|SHRINK|SWEEP|TEMPLATE|TRANSPORT|UI|VIEWER|WAIT|WRAP|CONVERT)_[A-Z_]+)'/g,
        ),
      ])
      .map(([, code]) => code!);
    const codes = new Set([...written, ...mistakes.map(([code]) => code)]);
    expect([...listed].sort()).toEqual([...codes].sort());
  });

  it('finds every code of the source by its first word', () => {
    const all = [...tree]
      .filter(([path]) => path.startsWith('src/'))
      .flatMap(([, text]) => [...codeOf(text, { strings: true }).matchAll(/\bcode:[^,\n]*'([A-Z_]+)'/g)])
      .map(([, code]) => code!);
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((code) => !listed.includes(code))).toEqual([]);
  });
});

describe('documents', () => {
  it.each(documents)('%s links to files that are there', (path, text) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!);
    const missing = links.filter((link) => !existsSync(join(root, posix.dirname(path), link)));
    expect(missing).toEqual([]);
  });

  it.each(documents)('%s links to headings that are there', (path, text) => {
    const links = [...text.matchAll(/\]\(((?!https?:)[^)#]*)#([^)]+)\)/g)];
    const missing = links.filter(([, file, anchor]) => {
      const page = file ? posix.join(posix.dirname(path), file) : path;
      return page.endsWith('.md') && !anchorsOf(tree.get(page) ?? '').has(anchor!);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('have the anchors that GitHub makes of their headings', () => {
    const text =
      '# What `when` describes\n```sh\n# a comment\n```\n## `mcp.own(endpoint)`\n## A [link](a.md), twice\n## To\n## To\n';
    const anchors = ['what-when-describes', 'mcpownendpoint', 'a-link-twice', 'to', 'to-1'];
    expect([...anchorsOf(text)]).toEqual(anchors);
  });

  it.each(documents)('%s shows cassettes that can be read', (path, text) => {
    const examples = [...text.matchAll(/^```yaml\n((?:#.*\n)?format: mcp-record\/[\s\S]*?)^```/gm)].map(
      ([, example]) => example!,
    );
    for (const example of examples) expect(parseCassette(example, path).events.length).toBeGreaterThan(0);
  });
});

/** Returns what links to the headings of a document end with. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of document.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)) {
    const anchor = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let count = 0;
    while (anchors.has(count ? `${anchor}-${count}` : anchor)) count += 1;
    anchors.add(count ? `${anchor}-${count}` : anchor);
  }
  return anchors;
}
