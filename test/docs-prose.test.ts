import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from './support/house/source.ts';
import { countWords, firstCodeLine, passagesOf, sentencesOf } from './support/prose.ts';

const tree = readTree(join(import.meta.dirname, '..'));

type Kind = 'tutorial' | 'how-to' | 'reference' | 'explanation';

/** All pages for users, each with its kind, sorted by path. */
const PAGES: Record<string, Kind> = {
  'CONTRIBUTING.md': 'how-to',
  'README.md': 'how-to',
  'SECURITY.md': 'reference',
  'docs/analyze-a-bug.md': 'how-to',
  'docs/architecture.md': 'explanation',
  'docs/auth-faults.md': 'reference',
  'docs/auth-other-clients.md': 'reference',
  'docs/auth-recorded.md': 'how-to',
  'docs/auth-reference.md': 'reference',
  'docs/auth-scopes-sdk-1.md': 'how-to',
  'docs/auth-scopes.md': 'how-to',
  'docs/auth-sdk-clients.md': 'reference',
  'docs/auth-user.md': 'how-to',
  'docs/auth.md': 'how-to',
  'docs/breaking-changes-reference.md': 'reference',
  'docs/breaking-changes.md': 'how-to',
  'docs/cassette.md': 'reference',
  'docs/ci-pull-requests.md': 'how-to',
  'docs/ci-recipes.md': 'how-to',
  'docs/ci-reference.md': 'reference',
  'docs/ci.md': 'how-to',
  'docs/cli-output.md': 'reference',
  'docs/cli.md': 'reference',
  'docs/clock.md': 'how-to',
  'docs/comparison-details.md': 'reference',
  'docs/comparison.md': 'explanation',
  'docs/container.md': 'how-to',
  'docs/contributing.md': 'how-to',
  'docs/control-reference.md': 'reference',
  'docs/control-tests.md': 'how-to',
  'docs/control.md': 'how-to',
  'docs/convert.md': 'how-to',
  'docs/coverage.md': 'reference',
  'docs/dependencies.md': 'reference',
  'docs/diff-git.md': 'how-to',
  'docs/diff-reference.md': 'reference',
  'docs/diff.md': 'how-to',
  'docs/editing.md': 'how-to',
  'docs/errors.md': 'reference',
  'docs/fault-list.md': 'reference',
  'docs/fault-rules.md': 'reference',
  'docs/faults.md': 'how-to',
  'docs/field-clients.md': 'reference',
  'docs/field-servers.md': 'reference',
  'docs/fork-reference.md': 'reference',
  'docs/fork-with-client.md': 'how-to',
  'docs/fork.md': 'how-to',
  'docs/forward-proxy.md': 'how-to',
  'docs/getting-started.md': 'tutorial',
  'docs/guarantees.md': 'reference',
  'docs/http.md': 'how-to',
  'docs/journal.md': 'how-to',
  'docs/limits.md': 'reference',
  'docs/lint.md': 'reference',
  'docs/live-secrets.md': 'how-to',
  'docs/load-k6.md': 'how-to',
  'docs/load-reference.md': 'reference',
  'docs/load-workers.md': 'how-to',
  'docs/load.md': 'how-to',
  'docs/matching-reference.md': 'reference',
  'docs/matching.md': 'explanation',
  'docs/mock-cassette.md': 'how-to',
  'docs/mock-client.md': 'how-to',
  'docs/mock-failures-reference.md': 'reference',
  'docs/mock-failures.md': 'how-to',
  'docs/mock-file.md': 'how-to',
  'docs/mock-questions.md': 'how-to',
  'docs/mock.md': 'how-to',
  'docs/mocking-features.md': 'reference',
  'docs/modes.md': 'how-to',
  'docs/msw.md': 'how-to',
  'docs/nock.md': 'how-to',
  'docs/open-cassette.md': 'how-to',
  'docs/open-session.md': 'how-to',
  'docs/performance.md': 'reference',
  'docs/playwright.md': 'how-to',
  'docs/redaction-check.md': 'how-to',
  'docs/redaction-reference.md': 'reference',
  'docs/redaction-rules.md': 'how-to',
  'docs/redaction-tests.md': 'how-to',
  'docs/redaction.md': 'how-to',
  'docs/reliability.md': 'explanation',
  'docs/replay-client.md': 'explanation',
  'docs/replay-http-reference.md': 'reference',
  'docs/replay-http.md': 'how-to',
  'docs/replay-order.md': 'explanation',
  'docs/replay-reference.md': 'reference',
  'docs/replay-stateless.md': 'how-to',
  'docs/replay.md': 'how-to',
  'docs/report-reference.md': 'reference',
  'docs/report.md': 'how-to',
  'docs/restart-http.md': 'how-to',
  'docs/restart.md': 'how-to',
  'docs/retry-waits.md': 'how-to',
  'docs/retry.md': 'how-to',
  'docs/scenarios.md': 'how-to',
  'docs/sdk-transports.md': 'how-to',
  'docs/sdk-under-faults.md': 'reference',
  'docs/share-a-bug-ids.md': 'how-to',
  'docs/share-a-bug-names.md': 'how-to',
  'docs/share-a-bug-secrets.md': 'how-to',
  'docs/share-a-bug.md': 'how-to',
  'docs/share-a-client-bug-errors.md': 'how-to',
  'docs/share-a-client-bug.md': 'how-to',
  'docs/shrink.md': 'how-to',
  'docs/stdio-tests.md': 'how-to',
  'docs/sweep-orders-reference.md': 'reference',
  'docs/sweep-orders.md': 'how-to',
  'docs/sweep-pairs.md': 'how-to',
  'docs/sweep-reference.md': 'reference',
  'docs/sweep-server-reference.md': 'reference',
  'docs/sweep-server.md': 'how-to',
  'docs/sweep.md': 'how-to',
  'docs/test-client.md': 'how-to',
  'docs/test-runners.md': 'how-to',
  'docs/test-server-reference.md': 'reference',
  'docs/test-server.md': 'how-to',
  'docs/traces-reference.md': 'reference',
  'docs/traces.md': 'how-to',
  'docs/ui-reference.md': 'reference',
  'docs/ui.md': 'how-to',
  'docs/verify-reference.md': 'reference',
  'docs/verify.md': 'how-to',
  'docs/vitest-reference.md': 'reference',
  'docs/vitest.md': 'how-to',
  'docs/windows.md': 'reference',
  'docs/wrap.md': 'how-to',
  'docs/writing-a-fault.md': 'how-to',
  'examples/README.md': 'reference',
};

const SENTENCE_WORDS_MAX = 35;
const PARAGRAPH_WORDS_MAX = 80;
const FIRST_CODE_LINE_MAX = 10;

/** Says where a page exceeds a limit. */
function breachesOf({ path, text, kind }: { path: string; text: string; kind: Kind }): string[] {
  const passages = passagesOf(path, text);
  const sentences = passages.flatMap(({ place, text }) => sentencesOf(text).map((sentence) => ({ place, sentence })));
  return [
    ...sentences
      .filter(({ sentence }) => countWords(sentence) > SENTENCE_WORDS_MAX)
      .map(({ place, sentence }) => `${place}: a sentence of ${countWords(sentence)} words: ${sentence}`),
    ...passages
      .filter(({ text }) => countWords(text) > PARAGRAPH_WORDS_MAX)
      .map(({ place, text }) => `${place}: a paragraph of ${countWords(text)} words: ${text}`),
    ...((kind === 'tutorial' || kind === 'how-to') && firstCodeLine(text) > FIRST_CODE_LINE_MAX
      ? [`${path}: no code in its first ${FIRST_CODE_LINE_MAX} lines`]
      : []),
  ];
}

describe('a page is written in short sentences and paragraphs, and a tutorial or how-to begins with code', () => {
  it.each(Object.entries(PAGES))('%s', (path, kind) => {
    expect(breachesOf({ path, text: tree.get(path) ?? '', kind })).toEqual([]);
    expect(passagesOf(path, tree.get(path) ?? '').length).toBeGreaterThan(2);
  });

  it('and no page is left out', () => {
    const all = [...tree.keys()].filter((path) =>
      /^(?:docs\/[^/]+|examples\/README|README|CONTRIBUTING|SECURITY)\.md$/.test(path),
    );
    expect(Object.keys(PAGES)).toEqual(all.sort());
  });
});

describe('the limits', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
  const checked = (text: string, kind: Kind = 'reference') => breachesOf({ path: 'a.md', text, kind });

  it.each([
    ['a paragraph', (text: string) => `# Title\n\n${text}.\n`],
    ['a paragraph of several lines', (text: string) => `${text.replaceAll(/(word\d*5) /g, '$1\n')}.\n`],
    ['an item of a list', (text: string) => `- short\n- ${text}\n- short\n`],
    ['an item of a list below a paragraph', (text: string) => `Short.\n1. ${text}\n`],
    ['a cell of a table', (text: string) => `| a | b |\n|---|---|\n| short | ${text} |\n`],
    ['what follows a block of code', (text: string) => `\`\`\`ts\n1;\n\`\`\`\n${text}\n`],
    ['a comparison', (text: string) => `a < b and ${text}, c > d.\n`],
    ['a link', (text: string) => `See [${text}](https://example.com).\n`],
  ])('hold for a sentence in %s', (_, page) => {
    expect(checked(page(words(30)))).toEqual([]);
    expect(checked(page(words(36)))).toEqual([expect.stringMatching(/a sentence of (?:3[6-9]|4\d) words/)]);
  });

  it('hold for the words of a paragraph together', () => {
    const sentences = (count: number) => `${words(count)}. `.repeat(4);
    expect(checked(sentences(20))).toEqual([]);
    expect(checked(sentences(21))).toEqual([expect.stringMatching(/^a\.md:1: a paragraph of 84 words/)]);
  });

  it('count neither code nor what a link points to', () => {
    expect(checked(`Run \`${words(40)}\`, then read [this](https://example.com/a%20b).\n`)).toEqual([]);
    expect(checked(`\`\`\`sh\n${words(100)}\n\`\`\`\n`)).toEqual([]);
  });

  it.each(['tutorial', 'how-to'] as const)('want code in the first 10 lines of a %s', (kind) => {
    const code = '```ts\n1;\n```\n';
    expect(checked(`${'text\n\n'.repeat(4)}${code}`, kind)).toEqual([]);
    expect(checked(`${'text\n\n'.repeat(5)}${code}`, kind)).toEqual(['a.md: no code in its first 10 lines']);
    expect(checked('text\n', kind)).toEqual(['a.md: no code in its first 10 lines']);
    expect(checked(`${'text\n\n'.repeat(5)}${code}`, 'explanation')).toEqual([]);
  });
});
