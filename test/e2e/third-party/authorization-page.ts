import { join } from 'node:path';
import { TRIALS } from '../../mock/authorization/authorization-trials.ts';
import { CLIENTS } from './authorized-clients.ts';
import { PACKAGES } from './installed.ts';

export const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'auth-other-clients.md');

/** What a client does in a trial, with the message that its user gets if it fails. */
export interface Outcome {
  does: string;
  error?: string;
}

const versionOf = (name: string): string => PACKAGES.find((one) => one.startsWith(`${name}@`))!.slice(name.length + 1);

const HEAD = `# What other clients do when authorization fails

| name on this page | program |
|---|---|
| mcp-remote | \`mcp-remote\` ${versionOf('mcp-remote')} |
| Inspector | \`mcp-inspector --cli\` of \`@modelcontextprotocol/inspector\` ${versionOf('@modelcontextprotocol/inspector')} |
| mcpdo | \`mcpdo\`, a program of the same package that keeps a connection open |
| AI SDK | a program on \`@ai-sdk/mcp\` ${versionOf('@ai-sdk/mcp')} |

All four log in to the [mock server](auth.md), and go on if their token expires in the middle of a session.
[What the SDK clients do](auth-sdk-clients.md) has the same cases for the official SDKs.

## What they do

| a table says | meaning |
|---|---|
| goes on | Its calls succeed in the end. |
| asks its user again | The client sends its user to the login page once more. |
| fails | The user gets [a message](#messages). |
`;

const NOTES = `
- mcpdo cannot ask its user during a call. It ends with exit status 3 and the error \`auth_required\`, and \`mcpdo connect\` logs in again.
- AI SDK throws \`UnauthorizedError\` from \`createMCPClient\`. During a call, the error is \`Failed to process server response\`, and its \`cause\` is an \`UnauthorizedError\`.
- If a call needs another scope, Inspector asks its user again, but for the scopes that it had. mcpdo and AI SDK do not ask again.
- If the access token is for another server, mcp-remote fails in some runs, because it uses a refresh token twice.

## Messages
`;

const END = `
\`Injected by mcp-record\` is the description that the fault sends. Set another one with its option \`description\`.

## How this page is made

\`npm run auth-clients\` runs the clients, and makes this page. \`npm run third-party\` fails if the page differs from what they do.

1. The client connects, and calls a tool twice. A program that \`BROWSER\` names is its browser: it opens the login page, and follows the redirect.
2. If a call fails because a login is needed, the test logs in and makes the call again.
`;

const row = (...cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** The rows of the messages that a trial's clients show. A row names all clients with the same message. */
function messagesOf(trial: string, outcomes: readonly Outcome[]): string[] {
  const clients = new Map<string, string[]>();
  for (const [at, { error }] of outcomes.entries())
    if (error !== undefined) clients.set(error, [...(clients.get(error) ?? []), Object.keys(CLIENTS)[at]!]);
  return [...clients].map(([error, names]) => row(trial, names.join(', '), `\`${error}\``));
}

/** The page, given the outcomes of each trial in the order of the clients. */
export function pageOf(outcomes: readonly (readonly Outcome[])[]): string {
  const names = Object.keys(CLIENTS);
  return [
    HEAD,
    row('what goes wrong', ...names),
    `|---|${names.map(() => '---|').join('')}`,
    ...TRIALS.map(({ name }, at) => row(name, ...outcomes[at]!.map(({ does }) => does))),
    NOTES,
    row('what goes wrong', 'client', 'message'),
    '|---|---|---|',
    ...TRIALS.flatMap(({ name }, at) => messagesOf(name, outcomes[at]!)),
    END,
  ].join('\n');
}
