import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadWithProgress } from '../../../src/cli/io/load-with-progress.ts';
import { progressOn } from '../../../src/cli/io/progress.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

it('work says in place how far it is, and leaves an empty line', () => {
  const { written, ...tty } = terminal(true);
  const progress = progressOn(tty, 'reading a.yaml');
  for (const done of [0, 1, 2, 150, 200]) progress?.(done, 200);
  expect(written).toEqual([
    '\rreading a.yaml 0 %\u001b[K',
    '\rreading a.yaml 1 %\u001b[K',
    '\rreading a.yaml 75 %\u001b[K',
    '\r\u001b[K',
  ]);
});

it('a cassette is read aloud where it is long and somebody looks, and is the same', () => {
  const file = join(folder, 'long.yaml');
  const event = `- client: {"jsonrpc":"2.0","method":"note","params":{"text":"${'x'.repeat(100_000)}"}}\n`;
  writeFileSync(file, `format: mcp-record/1\ntransport: stdio\nevents:\n${event.repeat(100)}`);
  const [looked, piped] = [terminal(true), terminal(false)];
  const [aloud, silent] = [loadWithProgress(file, looked), loadWithProgress(file, piped)];
  expect(looked.written.map((text) => text.replace(file, 'long.yaml').slice(1, -3))).toEqual([
    'reading long.yaml 41 %',
    'reading long.yaml 83 %',
    '',
  ]);
  expect(piped.written).toEqual([]);
  expect(aloud.events.length).toBe(100);
  expect(aloud).toEqual(silent);
});

it('a cassette that is short is read in silence', () => {
  const tty = terminal(true);
  loadWithProgress('cassettes/memory.yaml', tty);
  expect(tty.written).toEqual([]);
});

it('a cassette that cannot be read to its end leaves an empty line, too', () => {
  const file = join(folder, 'bad.yaml');
  const event = `- client: {"method":"note","text":"${'x'.repeat(100_000)}"}\n`;
  writeFileSync(
    file,
    `format: mcp-record/1\ntransport: stdio\nevents:\n${event.repeat(60)}- bad: 1\n- end: complete\n`,
  );
  const tty = terminal(true);
  expect(() => loadWithProgress(file, tty)).toThrow('CASSETTE_BAD_EVENT');
  expect(tty.written.at(-1)).toBe('\r\u001b[K');
});
