import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENTS, type Client, nameOf, observe, type Trial, trials } from './under-faults.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'sdk-under-faults.md');
const clients = Object.keys(CLIENTS) as Client[];

const HEAD = `# What the SDK clients do under faults

Two clients as they come from their packages (\`@modelcontextprotocol/sdk\` 1.32.2 and \`@modelcontextprotocol/client\` 2.4.0, over
stdio) and a recorded server (\`cassettes/everything.yaml\`) that does one thing wrong, once: at its answer to \`initialize\`, or at
its answer to a call with progress. The client opens a session, makes that call, makes another, and closes; it waits 5 s for an
answer (\`timeout\`), where by default it would wait 60 s. \`npm run sdk-under-faults\` makes this page; the tests make parts of it again.

- *goes on*: both calls were answered rightly; nobody noticed, or somebody recovered.
- *timeout* or *error*: what the application was told. *goes on* after it: the next call was answered; *session lost*: it was not.
- *not reached*: the client never did what the fault is about.
- **hangs**: the process had not ended after a minute. **crashes**: an error that nobody could catch. **leaves a process**: the server
  outlived its client. **wrong answer taken**: the application was given something that is not the answer.

What of it may surprise is told in [discoveries](discoveries/README.md).
`;

function row(trial: Trial, cells: readonly string[]): string {
  return `| ${[`\`${nameOf(trial)}\``, `\`${trial.at}\``, ...cells].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

async function everything(): Promise<string> {
  const all = trials();
  const cells = all.map((): string[] => []);
  const waiting = all.flatMap((trial, index) =>
    clients.map((client, column) => ({ trial, index, client, column })),
  );
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      cells[next.index]![next.column] = await observe(next.client, next.trial);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const names = Object.values(CLIENTS);
  const lines = [
    `| fault | at | ${names.join(' | ')} |`,
    `|---|---|${names.map(() => '---|').join('')}`,
    ...all.map((trial, index) => row(trial, cells[index]!)),
  ];
  return `${HEAD}\n${lines.join('\n')}\n`;
}

const isAsked = process.env.SDK_UNDER_FAULTS === 'all';

it.runIf(isAsked)('the page says what the clients do', { timeout: 3_600_000 }, async () => {
  await expect(await everything()).toMatchFileSnapshot(PAGE);
});

describe.skipIf(isAsked)('the page says what the clients do', { timeout: 120_000 }, () => {
  const page = readFileSync(PAGE, 'utf8').split('\n');
  const all = trials();

  it('under every fault that stdio has', () => {
    const shown = page.filter((line) => line.startsWith('| `'));
    const heads = shown.map((line) => line.split(' | ').slice(0, 2).join(' | '));
    expect(heads).toEqual(all.map((trial) => row(trial, []).replace(/ \|$/, '')));
  });

  const chosen = [
    'cut',
    'end',
    'error-reply',
    'junk',
    'duplicate',
    'exit (SIGSEGV)',
    'half-close',
    'wrong-id (other-type)',
  ];
  const repeated = all.filter((trial) => chosen.includes(nameOf(trial)) && trial.at === 'tools/call');
  it.each(repeated.map((trial) => [nameOf(trial), trial] as const))(
    'such as %s at a call',
    async (_, trial) => {
      const cells = await Promise.all(
        clients.map((client) => observe(client, trial, trial.fault === 'half-close' ? undefined : 30_000)),
      );
      expect(page).toContain(row(trial, cells));
    },
  );
});
