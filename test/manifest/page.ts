import { REVISIONS } from '../../src/protocol/revisions.ts';
import type { Area, Requirement } from './area.ts';
import { type Cell, cellsOf, holdsIn, ROLES, TRANSPORTS, why } from './cells.ts';

const HEAD = `# Coverage

The requirements of the protocol, and whether \`mcp-record\` meets each of them as recorder (between client and server), as mock server and
as mock client.

- Each cell is a conversation in [test/manifest/areas](../test/manifest/areas), which ran in every listed revision. It is recorded over the
  transport between two peers, and then played to each peer from the cassettes of every transport. Each peer must receive exactly the
  messages of the recording.
- Requirements on the transport itself (statuses, headers, streams, bytes, processes) are shown in the same way.
- \`✓\`: shown in all of the revisions. A cell without meaning says why.
- A requirement without cells names the test that shows it.

A cell that is not shown fails the run, so no gap is known. That run makes this page: \`npx vitest run test/manifest -u\`.

Streamable HTTP begins with 2025-03-26. HTTP+SSE is that of 2024-11-05, which servers offer to older clients up to 2025-11-25.
`;

/** Of a requirement and a cell: whether it was shown there. */
export type Shown = (id: string, cell: Cell) => boolean;

/** The table of what was shown. */
export function coveragePage(areas: readonly Area[], shown: Shown): string {
  return HEAD + areas.map((area) => section(area, shown)).join('');
}

function section({ name, note, requirements }: Area, shown: Shown): string {
  const inCells = requirements.filter(({ shownBy }) => shownBy === undefined);
  const byTest = requirements.filter(({ shownBy }) => shownBy !== undefined);
  const table =
    inCells.length === 0
      ? ''
      : `\n| | revisions | ${TRANSPORTS.flatMap((transport) => ROLES.map((role) => `${transport}: ${role}`)).join(' | ')} |\n` +
        `|---|---|${'---|'.repeat(TRANSPORTS.length * ROLES.length)}\n` +
        inCells.map((requirement) => row(requirement, shown)).join('');
  const list =
    byTest.length === 0
      ? ''
      : `\n| | revisions | shown by | not in cells: |\n|---|---|---|---|\n${byTest.map(byTestRow).join('')}`;
  return `\n## ${name}\n${note === undefined ? '' : `\n${note}\n`}${table}${list}`;
}

function row(requirement: Requirement, shown: Shown): string {
  const all = cellsOf(requirement);
  const marks = TRANSPORTS.flatMap((transport) =>
    ROLES.map((role) => {
      const cells = all.filter((cell) => cell.transport === transport && cell.role === role);
      if (cells.length === 0) return `*${reason(requirement, { transport, role })}*`;
      return cells.every((cell) => shown(requirement.id, cell)) ? '✓' : '✗';
    }),
  );
  return `| ${describe(requirement)} | ${marks.join(' | ')} |\n`;
}

/** Where no revision gives it meaning, the last one says why. */
function reason(requirement: Requirement, place: Omit<Cell, 'revision'>): string {
  const revision = REVISIONS.findLast((one) => holdsIn(requirement, one))!;
  return why(requirement, { revision, ...place })!;
}

function byTestRow(requirement: Requirement): string {
  const [file, title, reason] = requirement.shownBy!;
  return `| ${describe(requirement)} | [${title}](../${file}) | ${reason} |\n`;
}

function describe({ id, says, source, since, until }: Requirement): string {
  const first = since ?? REVISIONS[0];
  const last = until ?? REVISIONS.at(-1)!;
  const span = first === last ? first : first === REVISIONS[0] && until === undefined ? 'all' : `${first} … ${last}`;
  return `**${id}** ${says} *${source}* | ${span}`.replaceAll('||', '\\|\\|');
}
