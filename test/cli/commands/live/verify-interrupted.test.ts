import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../src/text-report/outcome-model.ts';
import { freeNames, holds, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { titled } from '../../../support/on-posix.ts';
import { fixture, gone, Running } from '../../../support/process.ts';
import { hasTerminal, OnTerminal } from '../../../support/terminal.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const cassette = newFile();
writeFileSync(
  cassette,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: ask, params: { a: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { a: 1 } }
- client: { jsonrpc: "2.0", id: 2, method: hang }
- server: { jsonrpc: "2.0", id: 2, result: {} }
- client: { jsonrpc: "2.0", id: 3, method: never }
- server: { jsonrpc: "2.0", id: 3, result: {} }
- server: { jsonrpc: "2.0", method: notifications/message }
`,
);

/** A verify of a server that hangs in the second request, and then writes its number to `numbers`. */
function verify(numbers: string, ...options: string[]) {
  const { command, args } = fixture('hangs.js', numbers);
  return mcpRecord('verify', '--timeout', '600000', ...options, cassette, '--', command, ...args);
}

describe('a verify that is interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s reports the steps so far, exits with %i, and leaves no process', async (signal, expected) => {
    const [numbers, junit] = [newFile(), join(folder, `${signal}.xml`)];
    await using running = new Running(verify(numbers, '--json', '--junit', junit)).read();
    await holds(numbers, '\n');
    running.signal(signal);
    const { stdout, status } = await running.ended;
    await gone(Number(readFileSync(numbers, 'utf8')));
    const { steps, notes } = JSON.parse(stdout.toString()) as Outcome;
    expect(steps.map(({ title, status, headline }) => [title, status, headline])).toEqual([
      ['ask', 'passed', undefined],
      ['hang', 'skipped', 'not reached: interrupted'],
      ['never', 'skipped', 'not reached: interrupted'],
      ['notifications/message', 'skipped', 'not reached: interrupted'],
    ]);
    expect(notes[0]).toBe('Interrupted: the steps that were not reached are skipped.');
    expect(readFileSync(junit, 'utf8')).toContain('tests="4" failures="0" errors="0" skipped="3"');
    expect(status).toBe(expected);
  });

  it('changes no cassette', async () => {
    const numbers = newFile();
    const before = readFileSync(cassette, 'utf8');
    await using running = new Running(verify(numbers, '--update')).read();
    await holds(numbers, '\n');
    running.signal('SIGINT');
    expect((await running.ended).stdout.toString()).toContain('\n1 passed, 3 skipped in ');
    expect(readFileSync(cassette, 'utf8')).toBe(before);
  });

  it.runIf(hasTerminal)(
    titled('on a terminal has shown each step when it ended, and shows what it waits for', 'terminals'),
    async () => {
      const numbers = newFile();
      await using terminal = new OnTerminal(verify(numbers));
      await terminal.shows('… hang');
      expect(terminal.shown).toMatch(/✓.* ask/);
      await holds(numbers, '\n');
      terminal.type('\u0003');
      expect(await terminal.ended).toBe(130);
      await gone(Number(readFileSync(numbers, 'utf8')));
      expect(terminal.shown.match(/✓.* ask/g)).toHaveLength(1);
      expect(terminal.shown).toContain('never');
      expect(terminal.shown).toContain('3 skipped in ');
    },
  );
});
