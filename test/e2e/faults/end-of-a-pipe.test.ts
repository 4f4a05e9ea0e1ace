/** The output ends for a client that reads it by a pipe, as shells and Python make one, while its own side stays open. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { fixture, Running } from '../../support/process.ts';

const folder = temporaryFolder();
const ASK = '{"jsonrpc":"2.0","id":1,"method":"acme/flood","params":{"count":0}}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"count":0}}';

const cassette = join(folder, 'cassette.yaml');
writeFileSync(cassette, `format: mcp-record/1\nevents:\n- client: ${ASK}\n- server: ${ANSWER}\n`);
const live = fixture('answers.js');

const STARTS = {
  replay: (fault: string) => mcpRecord('replay', '--fault', fault, cassette),
  proxy: (fault: string) => mcpRecord('proxy', '--fault', fault, '--', live.command, ...live.args),
};

/** A command whose output a pipe leads to `cat`. The word "end" follows when the pipe has ended. */
function piped({ command, args }: Command): Command {
  return { command: 'sh', args: ['-c', '"$@" | { cat; echo; echo end; }', 'sh', command, ...args] };
}

/** What is heard before the end. */
const HEARD = { 'truncate:acme/flood': '{"jsonrpc"', 'half-close:acme/flood': '' };

describe.each(Object.entries(STARTS))('%s', (_, start) => {
  for (const [fault, heard] of Object.entries(HEARD)) {
    itOnPosix('shell', `${fault} ends a pipe while the input is open`, async () => {
      await using running = new Running(piped(start(fault)));
      running.child.stdin.write(`${ASK}\n`);
      expect([await running.line(), await running.line()]).toEqual([heard, 'end']);
      running.child.stdin.end();
      expect((await running.read().ended).status).toBe(0);
    });
  }
});
