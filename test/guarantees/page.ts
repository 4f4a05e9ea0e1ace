import { type EntryPoint, verdictOf } from './entry-point.ts';
import type { Plant, Row, Verdict } from './rows.ts';

/** A table of the page. */
export interface Section {
  title: string;
  /** Sessions that are as recorded, to which each entry point is shown to pass. */
  same: readonly Plant[];
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

A mock server that requires tokens, or a fault, may [refuse a client](auth.md#a-client-that-ignores-the-refusal):

| | vitest: \`over: 'http'\` | \`replay --http\`, with or without \`--control\` | \`mock --http\`, with or without \`--control\` |
|---|---|---|---|
| A client that was refused with 401 or 403, and never makes the request again with a token | \`onUnused: 'fail'\` or \`onDifference: 'fail'\` | \`--strict\` or \`--on-difference fail\` | \`--on-difference fail\` |
| A request that [the authorization server refused](auth-reference.md#if-the-authorization-server-refuses-a-request) | \`onDifference: 'fail'\` | \`--strict\` or \`--on-difference fail\` | \`--on-difference fail\` |
| Without faults and without a cassette: no client ever gets in | ✓ | – | \`--on-difference fail\` |

In the tables below, \`--on-difference\` stands for \`--on-difference fail\`. \`--strict\` does the same, and more.

Beyond this table:

- \`expect(mcp).toMatchSession(FILE)\` compares which requests came, how often, and in which order. The matchers and \`waitFor\` of the
  [journal](vitest.md) assert on requests, notifications, answers and HTTP headers one by one.
- [\`sweep\`](sweep.md) does not compare what a client says. It judges how the client's process ends without and under each fault, and whether it
  claims success without an answer that it needed. A client whose request is not in the cassette, and that therefore fails without any fault,
  cannot be swept (\`SWEEP_BASELINE\`).
- \`sweep --server\` compares the answers of a server with its own without any misbehaviour of the client, and not with the cassette: a server that has
  drifted from it is swept, and told so.
- [\`run\`](scenarios.md) compares what the scenario expects, and fails a request that the cassette does not have. A scenario without faults that expects
  nothing of calls, as here, fails a recorded message that never comes, too.
- [\`diff\`](diff.md) compares two cassettes, of which the second has the difference. [\`lint\`](lint.md) compares that second one with the rules of the
  protocol alone.
- Over HTTP \`verify\` compares statuses, and the streams that answers come on as far as a client notices.
- Over HTTP, a client of 2026-07-28 that [repeats a call](replay-stateless.md#a-client-that-repeats-a-call) may be answered as another client: a call more
  then passes. \`toMatchSession\` compares how often each request came.
- How long a side takes is not compared; \`verify --max-time\` and \`--slower\` limit it for answers.
`;

/** The page. That each cell is true the tests of the cell show. */
export function guaranteesPage(sections: readonly Section[]): string {
  return HEAD + sections.map(table).join('');
}

function table({ title, rows, entries }: Section): string {
  const head = `| | ${entries.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(entries.length)}\n`;
  const lines = rows.map((row) => `| ${row.what} | ${entries.map((entry) => cell(row, entry)).join(' | ')} |\n`);
  const reasons = rows.flatMap(({ what, why }) => (why ? [`- ${what}: ${why}.\n`] : []));
  return `\n## ${title}\n\n${head}${lines.join('')}\nNot compared by default, and why:\n\n${reasons.join('')}`;
}

function cell(row: Row, entry: EntryPoint): string {
  const request = (row.compared === 'difference' && entry.difference) || entry.request;
  const marks: Record<Verdict, string> = { default: '✓', request, no: '–' };
  const verdicts = row.plants.map((plant) => verdictOf(row, plant, entry));
  const [verdict = 'no'] = verdicts;
  if (verdicts.every((one) => one === verdict)) return marks[verdict];
  return `only: ${row.plants.flatMap(({ title }, at) => (verdicts[at] === 'no' ? [] : [title])).join(', ')}`;
}
