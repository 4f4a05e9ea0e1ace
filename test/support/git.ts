import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './cassette.ts';

/** A repository of git in a folder of its own. */
export interface Repository {
  folder: string;
  /** Writes files, and deletes those without a text. */
  put(files: Record<string, string | undefined>): void;
  git(...args: string[]): string;
  /** Commits everything. */
  commit(): void;
}

export function repository(): Repository {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q', '-b', 'main');
  return {
    folder,
    git,
    put(files) {
      for (const [name, text] of Object.entries(files)) {
        const file = join(folder, name);
        mkdirSync(dirname(file), { recursive: true });
        if (text === undefined) rmSync(file);
        else writeFileSync(file, text);
      }
    },
    commit() {
      git('add', '-A');
      git('commit', '-q', '-m', 'a');
    },
  };
}

/** A cassette with an argument list of the tool `weather` for each `tools/list`, and calls with these arguments. */
export function weatherCassette(required: readonly string[], ...calls: object[]): string {
  const properties = Object.fromEntries(required.map((name) => [name, { type: 'string' }]));
  const tool = { name: 'weather', inputSchema: { type: 'object', properties, required } };
  const result = { content: [{ type: 'text', text: 'fine' }] };
  const exchanges = [
    [
      { id: 0, method: 'tools/list' },
      { id: 0, result: { tools: [tool] } },
    ],
    ...calls.map((args, n) => [
      { id: n + 1, method: 'tools/call', params: { name: 'weather', arguments: args } },
      { id: n + 1, result },
    ]),
  ];
  const events = exchanges.map(
    ([client, server]) => `- client: ${JSON.stringify(client)}\n- server: ${JSON.stringify(server)}\n`,
  );
  return `format: mcp-record/1\ntransport: stdio\nevents:\n${events.join('')}`;
}
