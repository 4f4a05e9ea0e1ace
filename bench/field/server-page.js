/** `docs/field-servers.md`, from the results of the sweeps. */
import { SERVER_VERDICTS } from '../../dist/sweep/server/judge/server-verdict-kinds.js';
import { cellText, groupBy, table } from './page-table.js';
import { SERVER_POINTS } from './sweep-servers.js';

const GOOD = new Set(['passed', 'refused']);
/** Points at which the answer may come before the server sees the misbehaviour: `passed` and `refused` are one mark. */
const RACES = new Set(['leave@4', 'cancel@4']);

/**
 * Returns the text of the page.
 * @param {{ servers: Record<string, { title: string, packages: string[] }>, leftOut: Record<string, string>, results: object[] }} field
 */
export function serverPage({ servers, leftOut, results }) {
  const own = results.map((result) => ({ ...result, ...servers[result.name] }));
  own.sort((one, other) => one.title.localeCompare(other.title));
  const nodes = [...new Set(results.map(({ node }) => node))].join(', ');
  return `# Servers under clients that misbehave

What does an MCP server do when its client leaves, cancels or sends broken JSON? ${own.length} servers were tried over stdio, each with ${SERVER_POINTS.length} misbehaviours of a client. A bad verdict is here only if it came twice.

\`npm run field servers\` makes this page, here with Node ${nodes}. To repeat one cell, in a clone of the repository after \`npm run build\`:

\`\`\`sh
npm run field server-cell everything leave@4
\`\`\`

It installs the server outside the repository, records a session with it, and prints the command of [\`sweep --server\`](sweep-server.md) and the verdict. The session lists the tools and calls one that changes nothing.

The marks are those of [the sweep of a server](sweep-server-reference.md#verdicts). Good are \`·\` passed, \`r\` refused and \`i\` ignored. Bad are \`H\` hung, \`C\` crashed, \`L\` leaked, \`!\` corrupted, \`2\` repeated, \`?\` stray and \`U\` unreached.

At ${[...RACES].map((point) => `\`${point}\``).join(' and ')}, the answer may come before the server sees that the client has left or cancelled. Then the verdict is passed, otherwise refused. Both are shown as \`·\`: a cell that you repeat may have the other one.

## Overview

A row has one mark for each point, in this order: ${SERVER_POINTS.map((point) => `\`${point}\``).join(', ')}. A point is a misbehaviour and a message of the client: 1 is \`initialize\`, 3 lists the tools, and 4 calls one.

${table(['server', 'package', 'marks', 'bad'], own.map(overviewRow))}

${own.map(section).join('\n')}
## Left out

${table(['server', 'why'], Object.entries(leftOut))}
`;
}

function shown(point, verdict) {
  return RACES.has(point) && verdict === 'refused' ? 'passed' : verdict;
}

function overviewRow({ title, packages, verdicts }) {
  const marks = SERVER_POINTS.map(
    (point) => SERVER_VERDICTS.letters[shown(point, verdicts[point]?.verdict)] ?? '-',
  ).join('');
  const bad = Object.values(verdicts).filter(({ verdict }) => SERVER_VERDICTS.bad.has(verdict)).length;
  return [title, `\`${packages[0]}\``, `\`${marks}\``, bad === 0 ? '' : `**${bad}**`];
}

function section({ title, name, verdicts }) {
  const groups = groupBy(
    Object.entries(verdicts).filter(([, { verdict }]) => !GOOD.has(verdict)),
    ([, { verdict, why = '' }]) => `${verdict} ${why}`,
  );
  const rows = groups.map((entries) => {
    const [, { verdict, why = '' }] = entries[0];
    const points = entries.map(([point]) => `\`${point}\``).join(', ');
    return [points, verdict === 'ignored' ? verdict : `**${verdict}**`, cellText(withoutFolder(why))];
  });
  const body =
    rows.length > 0 ? table(['points', '', 'what was seen, and the rule'], rows) : 'Nothing bad, and nothing ignored.';
  return `## ${title}

\`npm run field server-cell ${name} POINT\`

${body}
`;
}

const withoutFolder = (text) =>
  text.replaceAll(/\/\S*?\/(?=node_modules|bench|bin)/g, '').replaceAll(/\bpid \d+/g, 'pid N');
