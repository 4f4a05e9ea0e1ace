import { type EntryPoint, verdictOf } from './entry-points.ts';
import type { Row, Verdict } from './rows.ts';

/** A table of the page. */
export interface Section {
  title: string;
  rows: readonly Row[];
  entries: readonly EntryPoint[];
}

const HEAD = `# What a green run proves

Each row is a kind of thing that a client or a server may say otherwise than the cassette has it. Each column is a way to hold
it to the cassette. This page is made by the tests that plant each difference and look whether the run fails:
\`npx vitest run test/guarantees -u\`. A cell that no planted difference has shown fails those tests, and so does a
session that is as recorded and fails.

| | |
|---|---|
| ✓ | The difference fails the run. |
| an option | The difference fails the run with this option. Without it the difference is reported (a finding, a note, a line on standard error), and the run passes. |
| – | The difference is not compared. The reason is below the table. |

What fails a run is set by \`onMiss\`, \`onUnused\` and \`onDifference\` ([vitest](vitest.md)), and what does not count by
\`ignore\` ([matching](matching.md)). A test with faults reports what its client leaves out or says otherwise, and does not fail for it: what a
client does under a fault is what the test asserts.

Beyond this table:

- \`expect(mcp).toMatchSession(FILE)\` compares which requests came, how often, and in which order. The matchers and \`waitFor\` of the
  [journal](vitest.md) assert on requests, notifications, answers and HTTP headers one by one.
- [\`sweep\`](sweep.md) does not compare what a client says. It judges how the client's process ends under each fault, and whether it claims
  success without an answer that it needed.
- [\`run\`](scenarios.md) compares what the scenario expects, and fails a request that the cassette does not have.
- [\`diff\`](diff.md) compares two cassettes, of which the second has the difference. [\`lint\`](lint.md) compares that second one with the rules of the
  protocol alone.
- Over HTTP these are not compared: request headers that the protocol does not make from the message, streams that a client opens, leaves or goes
  on with, and whether it ends its session with DELETE. The [journal](vitest.md) has the headers. \`verify\` compares statuses, and the streams that
  answers come on as far as a client notices.
- How long a side takes is not compared; \`verify --max-time\` limits it for answers.
`;

/** What was found of a row: the titles of the planted differences that failed the run. */
export type Found = (section: Section, row: Row, entry: EntryPoint) => readonly string[];

/** The page, from what was found. */
export function guaranteesPage(sections: readonly Section[], found: Found): string {
  return HEAD + sections.map((section) => table(section, found)).join('');
}

function table(section: Section, found: Found): string {
  const { title, rows, entries } = section;
  const head = `| | ${entries.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(entries.length)}\n`;
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${entries.map((entry) => cell(row, entry, found(section, row, entry))).join(' | ')} |\n`,
  );
  const reasons = rows.flatMap(({ what, why }) => (why ? [`- ${what}: ${why}.\n`] : []));
  return `\n## ${title}\n\n${head}${lines.join('')}\nNot compared by default, and why:\n\n${reasons.join('')}`;
}

function cell(row: Row, entry: EntryPoint, found: readonly string[]): string {
  const marks: Record<Verdict, string> = { default: '✓', request: entry.request, no: '–' };
  const verdict = verdictOf(row, entry);
  if (verdict) return marks[verdict];
  const titles = row.plants.map(({ title }) => title);
  if (found.length === titles.length) return '✓';
  return found.length === 0 ? '–' : `only: ${found.join(', ')}`;
}
