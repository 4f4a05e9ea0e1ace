/** `docs/field-clients.md`, from the results of the sweeps. */
import { MARKS } from './outcome.js';
import { cellText, groupBy, table } from './page-table.js';
import { GROUPS, pointsOver } from './points.js';

const TRANSPORTS = { stdio: 'stdio', http: 'Streamable HTTP' };
/** What the specification says of a bad mark. Absent: nothing. */
const RULES = {
  H: 'Base Protocol, Lifecycle, "Timeouts": SHOULD establish timeouts for all sent requests',
  L: 'Base Protocol, Lifecycle, "Shutdown": SHOULD end the process of the server',
  a: 'Base Protocol, Lifecycle, "Version Negotiation": SHOULD disconnect',
};

/**
 * Returns the text of the page.
 * @param {{ clients: Record<string, { title: string, packages: string[] }>, leftOut: Record<string, string>, results: object[] }} field
 */
export function clientPage({ clients, leftOut, results }) {
  const names = Object.keys(clients).filter((name) => results.some((result) => result.name === name));
  names.sort((one, other) => clients[one].title.localeCompare(clients[other].title));
  const nodes = [...new Set(results.map(({ node }) => node))].join(', ');
  return `# Clients and hosts under faults

What does the user of an MCP client see when its server fails? ${names.length} clients and hosts were tried, with ${GROUPS.flatMap(({ points }) => points).length} faults each. In each run, one [fault](faults.md) happened to one message of a recorded server.

\`npm run field clients\` makes this page, here with Node ${nodes}. To repeat one cell, in a clone of the repository after \`npm run build\`:

\`\`\`sh
npm run field client-cell ai-sdk http stall@call
\`\`\`

It installs the client outside the repository, prints the command of [\`sweep\`](sweep.md), and what its user saw.

- The program opens a session, lists the tools, calls \`count\`, calls \`echo\`, and closes: see \`bench/field/clients\`.
- Over HTTP, the server answers in event streams, as servers of the SDKs do.
- Clients that can be told wait 10 s for an answer. Others wait as long as they do by default. A program that had not ended after 200 s is \`hung\`.
- A bad cell is here only if it came twice.
- The outcome of \`oversize\` (16 MiB) depends on how fast the machine is, as clients wait 10 s. On a busy one, the AI SDK over stdio lost its session.
- A command line opens a session for each call, and the fault happens in the session of its message. A client that starts the server again over stdio meets the fault again.
- With a bridge, the program is an SDK client in front of it.
- A host without an account opens a session, and calls nothing.

${table(['mark', '', 'what the user saw'], Object.entries(MARKS).map(markRow))}

In bold: bad for a user. Each of these is listed below, with the section of the specification (2025-11-25), or "no rule; surprising".

## Overview

A cell has one mark for each point, in this order. \`stall@open\` is the fault \`stall\` at the answer to \`initialize\`, and \`stall@call\` at the answer to the first call. \`404\` and \`503\` are the statuses of \`http-status\`, and \`corrupt\` is broken JSON.

${table(['column', 'points'], GROUPS.map(groupRow))}

${Object.entries(TRANSPORTS)
  .map(([transport, title]) => overview({ title, transport, names, clients, results }))
  .join('\n')}
${names.map((name) => section({ name, client: clients[name], results })).join('\n')}
## Left out

${table(['client', 'why'], Object.entries(leftOut))}
`;
}

const markRow = ([mark, { title, meaning, isBad }]) => [`\`${mark}\``, isBad ? `**${title}**` : title, meaning];

function groupRow(group) {
  const overStdio = new Set(pointsOver('stdio', group));
  const words = group.points.map((point) => `\`${point}\`${overStdio.has(point) ? '' : ' (HTTP)'}`);
  return [group.title, words.join(', ')];
}

function overview({ title, transport, names, clients, results }) {
  const groups = GROUPS.filter((group) => pointsOver(transport, group).length > 0);
  const rows = names.flatMap((name) => {
    const result = results.find((one) => one.name === name && one.transport === transport);
    if (result === undefined) return [];
    const marks = groups.map((group) =>
      pointsOver(transport, group)
        .map((point) => result.outcomes[point]?.mark ?? '-')
        .join(''),
    );
    return [[`[${clients[name].title}](#${anchorOf(clients[name].title)})`, ...marks.map((text) => `\`${text}\``)]];
  });
  return `### Over ${title}

${table(['client', ...groups.map((group) => group.title)], rows)}
`;
}

function section({ name, client, results }) {
  const own = results.filter((result) => result.name === name);
  const rows = own.flatMap((result) => outcomeRows(result));
  return `## ${client.title}

\`${client.packages[0]}\`, \`npm run field client-cell ${name} TRANSPORT POINT\`

${table(['over', 'points', '', 'what the user saw', 'rule'], rows)}
`;
}

/** Returns a row for each outcome, with all its points. The bad ones come first. */
function outcomeRows({ transport, outcomes }) {
  const groups = groupBy(Object.entries(outcomes), ([, outcome]) => `${outcome.mark} ${seenText(outcome)}`);
  const rows = groups.map((entries) => {
    const [, outcome] = entries[0];
    const { isBad } = MARKS[outcome.mark];
    const points = entries.map(([point]) => `\`${point}\``).join(', ');
    const rule = isBad ? (RULES[outcome.mark] ?? 'no rule; surprising') : '';
    const mark = isBad ? `**${MARKS[outcome.mark].title}**` : MARKS[outcome.mark].title;
    return { isBad, row: [transport, points, mark, seenText(outcome), rule] };
  });
  return [...rows.filter(({ isBad }) => isBad), ...rows.filter(({ isBad }) => !isBad)].map(({ row }) => row);
}

/** Returns the steps that did not go well. */
function seenText({ mark, seen, why }) {
  const steps = Object.entries(seen).filter(([, text]) => text !== 'well');
  const text = steps.map(([step, outcome]) => `${step}: ${cellText(withoutChance(outcome))}`).join('; ');
  if (text !== '') return text;
  if (mark === '-') return cellText(why ?? 'this client does not get the message, or no point of the sweep names it');
  return Object.keys(seen).length > 0 && mark === 'H' ? `nothing, after ${Object.keys(seen).at(-1)}` : '';
}

/** Ports, paths and process ids differ in each run. */
const withoutChance = (text) =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/(?:file:\/\/)?\/\S*?\/(?=node_modules|bench|bin)/g, '')
    .replaceAll(/\b[\da-f]{8}-[\da-f-]{27}\b/g, 'ID');

const anchorOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
