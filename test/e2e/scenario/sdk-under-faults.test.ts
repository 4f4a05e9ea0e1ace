import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOf, type Transport, type Trial, trials } from './trials.ts';
import { CLIENTS, type Client, observe } from './under-faults.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'sdk-under-faults.md');
const clients = Object.keys(CLIENTS) as Client[];

const HEAD = `# What the SDK clients do under faults

Two SDK clients (\`@modelcontextprotocol/sdk\` 1.32.2 and \`@modelcontextprotocol/client\` 2.4.0) talk to a recorded server
(\`cassettes/everything.yaml\`, with its recorded times). One fault happens once: at the answer to \`initialize\`, or at the answer to a call with
progress. The client opens a session, makes that call, makes another call, and closes.

The client waits 5 s for an answer. If none comes, the test repeats with 20 s (\`timeout\`). An SDK waits 60 s by default.
\`npm run sdk-under-faults\` makes this page, and the tests repeat parts of it.

| outcome | meaning |
|---|---|
| *goes on* | Both calls got the right answers. |
| *timeout*, *error* | The application got this error. Then *goes on*: the next call was answered; *session lost*: it was not. |
| *not reached* | The client never did what the fault needs, or the fault would have changed nothing. |
| **hangs** | The process had not ended after a minute. |
| **crashes** | An error that the application could not catch ended the process. |
| **leaves a process** | The server outlived its client. |
| **wrong answer taken** | The application got a result that is not the answer. |

[discoveries](discoveries/README.md) explains the surprising cells.
`;

/** Each transport under its heading. */
const PARTS: Readonly<Record<Transport, string>> = { stdio: 'Over stdio', http: 'Over Streamable HTTP' };
const transports = Object.keys(PARTS) as Transport[];

function row(trial: Trial, cells: readonly string[]): string {
  return `| ${[`\`${nameOf(trial)}\``, `\`${trial.at}\``, ...cells].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

async function everything(): Promise<string> {
  const parts = [];
  for (const transport of transports) parts.push(`## ${PARTS[transport]}\n\n${await tableOf(transport)}\n`);
  return [HEAD, ...parts].join('\n');
}

async function tableOf(transport: Transport): Promise<string> {
  const all = trials(transport);
  const cells = all.map((): string[] => []);
  const waiting = all.flatMap((trial, index) => clients.map((client, column) => ({ trial, index, client, column })));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      cells[next.index]![next.column] = await observeSurely(next.client, transport, next.trial);
    }
  };
  // Most of the time is spent waiting for what does not come.
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work));
  const names = Object.values(CLIENTS);
  return [
    `| fault | at | ${names.join(' | ')} |`,
    `|---|---|${names.map(() => '---|').join('')}`,
    ...all.map((trial, index) => row(trial, cells[index]!)),
  ].join('\n');
}

/** No answer in time may be the machine's fault: it gets a second chance. */
async function observeSurely(client: Client, transport: Transport, trial: Trial): Promise<string> {
  const seen = await observe(client, transport, trial);
  return seen.startsWith('timeout') ? observe(client, transport, trial, 20_000) : seen;
}

const isAsked = process.env.SDK_UNDER_FAULTS === 'all';

it.runIf(isAsked)('the page says what the clients do', { timeout: 3_600_000 }, async () => {
  await expect(await everything()).toMatchFileSnapshot(PAGE);
});

/** What is tried again, at a call, each time that the tests run. */
const AGAIN: Readonly<Record<Transport, readonly string[]>> = {
  stdio: ['cut', 'end', 'error-reply', 'junk', 'duplicate', 'exit (SIGSEGV)', 'half-close', 'wrong-id (other-type)'],
  http: ['cut', 'error-reply', 'junk', 'duplicate', 'http-status (503)', 'session-lost', 'resume (missed)'],
};

describe.skipIf(isAsked).each(transports)('the page says what the clients do', (transport) => {
  const [, part = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${PARTS[transport]}\n`);
  const page = (part.split('\n## ')[0] ?? '').split('\n');
  const all = trials(transport);

  it(`under every fault that there is over ${transport}`, () => {
    const shown = page.filter((line) => line.startsWith('| `'));
    const heads = shown.map((line) => line.split(' | ').slice(0, 2).join(' | '));
    expect(heads).toEqual(all.map((trial) => row(trial, []).replace(/ \|$/, '')));
  });

  const repeated = all.filter((trial) => AGAIN[transport].includes(nameOf(trial)) && trial.at === 'tools/call');
  it.each(repeated.map((trial) => [nameOf(trial), trial] as const))(
    `such as %s at a call over ${transport}`,
    async (_, trial) => {
      // Where the answer is lost, patience is all that the test takes.
      const isLost = trial.fault === 'half-close' || (transport === 'http' && trial.fault === 'cut');
      const patience = isLost ? 10_000 : 30_000;
      const cells = await Promise.all(clients.map((client) => observe(client, transport, trial, patience)));
      expect(page).toContain(row(trial, cells));
    },
  );
});
