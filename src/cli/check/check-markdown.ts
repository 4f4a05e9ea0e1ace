import { changeSummary } from './change-summary.ts';
import { type CheckResult, summaryOf, type Verdict, verdictOf } from './check-verdicts-and-summary.ts';

/** Maximum length of the output of all checks: GitHub takes comments of 65,536 characters. */
const OUTPUT_LENGTH_MAX = 50_000;
/** Maximum number of changes that are listed first. */
const CHANGES_MAX = 30;
/** Maximum length of a line outside the output. */
const LINE_LENGTH_MAX = 300;

const MARKS: Record<Verdict, string> = { passed: '✅', failed: '❌', 'not checked': '⚠️', skipped: '➖' };

/**
 * Returns the results as Markdown, for a comment or the summary of a job: what was checked (`named`), a table, lines
 * about each difference, and the output of what did not pass. What peers and cassettes have said stands in code alone.
 */
export function checkMarkdown(named: readonly string[], results: readonly CheckResult[], hint?: string): string {
  const bad = results.filter((result) => ['failed', 'not checked'].includes(verdictOf(result)));
  const run = results.filter((result) => verdictOf(result) !== 'skipped').length;
  const title = bad.length === 0 ? `${run} checks passed` : `${bad.length} of ${run} checks did not pass`;
  const rows = results.map((result) => {
    const verdict = verdictOf(result);
    return `| ${result.name} | ${MARKS[verdict]} ${verdict} | ${inlineCode(withShortRevisions(summaryOf(result)))} |`;
  });
  const changes = changeSummary(results).map((line) => shortened(withShortRevisions(line)));
  const more = changes.length > CHANGES_MAX ? [`and ${changes.length - CHANGES_MAX} more`] : [];
  const first =
    changes.length === 0 ? [] : ['', '**Changes**', '', fenced([...changes.slice(0, CHANGES_MAX), ...more].join('\n'))];
  const share = Math.floor(OUTPUT_LENGTH_MAX / Math.max(1, bad.length));
  const details = bad.flatMap((result) => [
    '',
    `<details><summary>${result.name}</summary>`,
    '',
    fenced(cut(outputOf(result), share)),
    '',
    '</details>',
  ]);
  return [
    `## mcp-record: ${title}`,
    '',
    named.map(inlineCode).join(' '),
    '',
    '| check | result | |',
    '|---|---|---|',
    ...rows,
    ...first,
    ...(hint === undefined ? [] : ['', inlineCode(hint)]),
    ...details,
    '',
  ].join('\n');
}

/** Returns the output of all failed runs. */
function outputOf({ runs }: CheckResult): string {
  return runs
    .filter(({ status }) => status !== 0)
    .map(({ title, output }) => {
      const text = title.startsWith('diff ') ? withoutOverview(output.trim()) : output.trim();
      return withShortRevisions(`── ${title}\n${text}`);
    })
    .join('\n\n');
}

/** Headline of a difference in an output of `diff`. Drawn differences are indented further there. */
const HEADLINE = /^ {2}[~↕+✓-] /;

/** Returns an output of `diff` without the list of headlines that come again above their differences. */
function withoutOverview(output: string): string {
  const lines = output.split('\n');
  const drawn = new Set(lines.filter((_, index) => lines[index - 1] === ''));
  const isRepeated = (line: string, index: number) => HEADLINE.test(line) && lines[index - 1] !== '' && drawn.has(line);
  return lines.filter((line, index) => !isRepeated(line, index)).join('\n');
}

/** Returns a text with 7 digits of each revision, as Git prints them. */
function withShortRevisions(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1');
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length)}\n… ${text.length - length} characters more: see the output of the job`;
}

/** Returns a code block, whose fence is longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function shortened(line: string): string {
  return line.length <= LINE_LENGTH_MAX ? line : `${line.slice(0, LINE_LENGTH_MAX - 1)}…`;
}

/** Formats code for a table cell. */
function inlineCode(text: string): string {
  return text === '' ? '' : `\`${shortened(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
