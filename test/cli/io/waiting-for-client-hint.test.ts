import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { titled } from '../../support/on-posix.ts';
import { fixture, recorder, run } from '../../support/process.ts';
import { END_OF_INPUT, hasTerminal, OnTerminal } from '../../support/terminal.ts';

const newFile = freeNames(temporaryFolder());
const cassette = join(import.meta.dirname, '..', '..', '..', 'cassettes', 'memory.yaml');
const cat = fixture('cat.js');
const NOWHERE = 'http://127.0.0.1:9/mcp';
const CTRL_C = '\u0003';

const waiting = [
  {
    what: 'a recorded server',
    command: mcpRecord('replay', cassette),
    says: `playing the server of ${cassette}`,
  },
  { what: 'a recorder', command: recorder(newFile(), cat), says: 'recording ' },
  {
    what: 'a recorder of a server over HTTP',
    command: mcpRecord('record', '--stdio', '--http', NOWHERE, '-o', newFile()),
    says: `recording ${NOWHERE}`,
  },
  { what: 'a proxy', command: mcpRecord('proxy', '--', cat.command, ...cat.args), says: 'passing on what ' },
];
const listening = [
  { what: 'a recorded server', command: mcpRecord('replay', '--http', cassette) },
  { what: 'a recorder', command: mcpRecord('record', '--http', NOWHERE, '-o', newFile()) },
  { what: 'a proxy', command: mcpRecord('proxy', '--http', NOWHERE) },
];

describe('on a terminal', () => {
  it.runIf(hasTerminal).each(waiting)(
    titled('$what says that it waits for a client', 'terminals'),
    async ({ command, says }) => {
      await using terminal = new OnTerminal(command);
      await terminal.shows('Ctrl-D ends it.');
      expect(terminal.shown).toContain(`mcp-record: ${says}`);
      expect(terminal.shown).toContain('waiting for a client on standard input, a JSON-RPC message on each line.');
      terminal.type(END_OF_INPUT);
      await terminal.ended;
    },
  );

  it.runIf(hasTerminal).each(listening)(
    titled('$what that listens says how to end it', 'terminals'),
    async ({ command }) => {
      await using terminal = new OnTerminal(command);
      await terminal.shows('Ctrl-C ends it.');
      terminal.type(CTRL_C);
      expect(await terminal.ended).toBe(0);
    },
  );

  it.runIf(hasTerminal).each(['record', 'show', 'convert', 'verify', 'proxy', 'sweep', 'run'])(
    titled('%s without all that it needs is an error at once, and waits for nothing', 'terminals'),
    async (verb) => {
      await using terminal = new OnTerminal(mcpRecord(verb));
      expect(await terminal.ended).toBe(2);
      expect(terminal.shown).toMatch(/\[[A-Z_]+\]/);
    },
  );
});

it('a client that starts a recorded server hears nothing of it', async () => {
  expect((await run(mcpRecord('replay', cassette))).stderr).not.toContain('waiting');
});
