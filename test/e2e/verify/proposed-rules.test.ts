import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord, recorded } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const folder = temporaryFolder();

/** Its notes have random ids and the time. With `wrong`, get_note answers with another note's id. */
const NOTES = `
const { randomUUID } = require('crypto');
const notes = [];
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const text = (note) => say(id, { content: [{ type: 'text', text: JSON.stringify(note) }] });
  if (method === 'initialize') say(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method !== 'tools/call') return;
  const { name, arguments: { title, id: of } } = params;
  if (name === 'create_note') {
    notes.push({ id: randomUUID(), title, createdAt: new Date().toISOString() });
    return text(notes.at(-1));
  }
  const note = notes.find((one) => one.id === of) ?? { title: 'no note ' + of };
  text(process.argv[1] === 'wrong' ? { ...note, id: notes.find((one) => one !== note).id } : note);
});`;
const server = (...words: string[]): Command => ({ command: process.execPath, args: ['-e', NOTES, ...words] });

const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const create = (id: number, title: string) => request(id, 'tools/call', { name: 'create_note', arguments: { title } });

/** Talks to the server as a client that reads the note that it has created first. */
async function recordNotes(file: string): Promise<void> {
  const { Running } = await import('../../support/process.ts');
  await using running = new Running(recorded(file, server()));
  const ask = async (message: object) => {
    running.child.stdin.write(`${JSON.stringify(message)}\n`);
    return JSON.parse(await running.line()) as { result: { content: [{ text: string }] } };
  };
  const clientInfo = { name: 'c', version: '1' };
  await ask(request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }));
  running.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const { result } = await ask(create(2, 'milk'));
  await ask(create(3, 'tea'));
  const { id } = JSON.parse(result.content[0].text) as { id: string };
  await ask(request(4, 'tools/call', { name: 'get_note', arguments: { id } }));
  running.child.stdin.end();
  await running.read().ended;
}

async function verify(file: string, words: string[], { command, args }: Command) {
  const { stdout, status } = await run(mcpRecord('verify', ...words, file, '--', command, ...args));
  return { status, text: stdout.toString() };
}

it('pass the server that they are proposed for, and fail one that answers with the id of another note', async () => {
  const file = join(folder, 'notes.yaml');
  await recordNotes(file);
  const { text } = await verify(file, ['--propose-ignores'], server());
  const proposed = text.slice(text.indexOf('Two runs of the server differ here'));
  expect(proposed.indexOf('match:')).toBeGreaterThan(0);
  expect(proposed.indexOf('match:')).toBeLessThan(proposed.indexOf('--ignore-pattern'));

  const lines = readFileSync(file, 'utf8').split('\n');
  const blocks = [...proposed.matchAll(/ {2}# insert at .*:(\d+), .*\n((?: {2}(?:match:| {2}ignore:| {4}- .*)\n)+)/g)];
  expect(blocks).toHaveLength(2);
  for (const [, line, block] of blocks) lines.splice(Number(line) - 1, 0, block!.trimEnd());
  writeFileSync(file, lines.join('\n'));
  const options = [...proposed.matchAll(/--ignore-pattern '([^']*)'/g)].flatMap(([, pattern]) => [
    '--ignore-pattern',
    pattern!,
  ]);
  expect(options.join()).not.toContain('[0-9a-fA-F]');

  const right = await verify(file, options, server());
  expect([right.status, right.text]).toEqual([0, expect.stringContaining('4 passed')]);
  const wrong = await verify(file, options, server('wrong'));
  expect([wrong.status, wrong.text]).toEqual([1, expect.stringContaining('✗ tools/call "get_note"')]);
});
