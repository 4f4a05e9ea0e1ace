import { type CheckResult, summaryOf, type Verdict, verdictOf } from './check-verdicts-and-summary.ts';

/** Maximum length of the output of all checks: GitHub takes comments of 65,536 characters. */
const OUTPUT_LENGTH_MAX = 50_000;
/** Maximum number of breaking changes that are listed first. */
const BREAKING_MAX = 30;
/** Maximum length of a line outside the output. */
const LINE_LENGTH_MAX = 300;

const MARKS: Record<Verdict, string> = { passed: '✅', failed: '❌', 'not checked': '⚠️', skipped: '➖' };

/**
 * Returns the results as Markdown, for a comment or the summary of a job: what was checked (`named`), a table, breaking
 * changes, and the output of what did not pass. What peers and cassettes have said stands in code alone.
 */
export function checkMarkdown(named: readonly string[], results: readonly CheckResult[]): string {
  const bad = results.filter((result) => ['failed', 'not checked'].includes(verdictOf(result)));
  const run = results.filter((result) => verdictOf(result) !== 'skipped').length;
  const title = bad.length === 0 ? `${run} checks passed` : `${bad.length} of ${run} checks did not pass`;
  const rows = results.map((result) => {
    const verdict = verdictOf(result);
    return `| ${result.name} | ${MARKS[verdict]} ${verdict} | ${inlineCode(summaryOf(result))} |`;
  });
  const breaking = [...new Set(bad.flatMap(breakingLines))];
  const more = breaking.length > BREAKING_MAX ? [`and ${breaking.length - BREAKING_MAX} more`] : [];
  const first =
    breaking.length === 0
      ? []
      : ['', '**Breaking**', '', fenced([...breaking.slice(0, BREAKING_MAX), ...more].join('\n'))];
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
    ...details,
    '',
  ].join('\n');
}

/** Returns the changes that break callers, as `verify` and `diff` list them below a step. */
function breakingLines({ runs }: CheckResult): string[] {
  return runs.flatMap(({ output }) =>
    output.split('\n').flatMap((line) => /^ +(breaking: .*)$/.exec(line)?.[1]?.slice(0, LINE_LENGTH_MAX) ?? []),
  );
}

/** Returns the output of all failed runs. */
function outputOf({ runs }: CheckResult): string {
  return runs
    .filter(({ status }) => status !== 0)
    .map(({ title, output }) => `── ${title}\n${output.trim()}`)
    .join('\n\n');
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

/** Formats code for a table cell. */
function inlineCode(text: string): string {
  return text === '' ? '' : `\`${text.slice(0, LINE_LENGTH_MAX).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
