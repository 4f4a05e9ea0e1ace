import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

export const ASK = '{"jsonrpc":"2.0","id":1,"method":"acme/flood","params":{"count":1,"_meta":{"progressToken":1}}}';
export const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
export const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"count":1,"_meta":{"progressToken":1}}}';

export interface Rule {
  do: string;
  [parameter: string]: unknown;
}

/** A rule, what is heard, with the ends of lines to be seen, and the exit status; then what the client says. */
export type Row = readonly [rule: Rule, heard: string, status: number, ...said: string[]];

/** The answer to {@link ASK}, for a rule. */
export const answer: object = { method: 'acme/flood' };
export const CRASHED = 139;
export const SIGKILLED = 137;

/** Starts a server with options. */
type Start = (...options: string[]) => Command;

/** A client and its servers, whose files are in a folder. */
export interface RawStdioClient {
  /** A server that lives, behind a proxy. It gives params back. */
  live: Start;
  /** A mock server of a cassette, which says this to a request. */
  replayed(asked: string, says: readonly string[]): Start;
  /** Starts a server with rules, says all at once, and then no more. */
  observed(
    start: Start,
    rules: readonly Rule[],
    said: readonly string[],
  ): Promise<{ heard: string; status: number | null; stderr: string }>;
}

export function rawStdioClient(folder: string): RawStdioClient {
  return {
    live(...options) {
      const { command, args } = fixture('answers.js');
      return mcpRecord('proxy', ...options, '--', command, ...args);
    },
    replayed(asked, says) {
      const said = says.map((text) => `- server: ${text}\n`).join('');
      const cassette = join(folder, 'cassette.yaml');
      writeFileSync(cassette, `format: mcp-record/1\nevents:\n- client: ${asked}\n${said}`);
      return (...options) => mcpRecord('replay', ...options, cassette);
    },
    async observed(start, rules, said) {
      const file = join(folder, 'faults.yaml');
      writeFileSync(file, JSON.stringify({ seed: 1, faults: rules }));
      const command = rules.length > 0 ? start('--faults', file) : start();
      const { stdout, status, stderr } = await run(command, said.map((line) => `${line}\n`).join(''));
      const heard = stdout
        .toString('latin1')
        .replaceAll(PROGRESS, 'PROGRESS')
        .replaceAll(ANSWER, 'ANSWER')
        .replaceAll('\n', '⏎');
      return { heard, status, stderr };
    },
  };
}

/** Rows with titles for `it.each`. */
export const titled = (
  rows: readonly Row[],
): { title: string; rule: Rule; heard: string; status: number; said: string[] }[] =>
  rows.map(([rule, heard, status, ...said]) => ({ title: JSON.stringify(rule), rule, heard, status, said }));
