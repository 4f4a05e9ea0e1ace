import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { Running } from '../../../support/process.ts';

const folder = temporaryFolder();
const HEAD = 'format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: stdio\nevents:\n';
const ask = (id: number, name: string) =>
  `- client:\n    jsonrpc: '2.0'\n    id: ${id}\n    method: tools/call\n    params:\n      name: ${name}\n`;
const answer = (id: number) => `- server:\n    jsonrpc: '2.0'\n    id: ${id}\n    result: {}\n  after: 30\n`;
const at = (name: string) => join(folder, name);

const started: Running[] = [];
afterEach(async () => {
  for (const running of started.splice(0)) await running[Symbol.asyncDispose]();
});

function follow(path: string, ...args: string[]) {
  const running = new Running(mcpRecord('show', '--follow', path, ...args));
  started.push(running);
  const { stdout, stderr } = running.child;
  const lines = { out: createInterface(stdout), err: createInterface(stderr) };
  const next = { out: lines.out[Symbol.asyncIterator](), err: lines.err[Symbol.asyncIterator]() };
  return {
    running,
    line: async (of: 'out' | 'err'): Promise<string> => (await next[of].next()).value,
    status: running.ended.then(({ status }) => status),
  };
}

describe('mcp-record show --follow', () => {
  it('waits for a file, prints what is written, and ends with the recording', async () => {
    const { line, status } = follow(at('later.yaml'));
    expect(await line('err')).toContain('waiting for');
    writeFileSync(at('later.yaml'), HEAD + ask(1, 'add'));
    expect(await line('out')).toMatch(/^ +5 +0\.000 +\d+ {2}→ tools\/call "add"$/);
    appendFileSync(at('later.yaml'), answer(1));
    expect(await line('out')).toMatch(/^ +11 +0\.030 +30 ms +\d+ {2}← {3}result for 5$/);
    appendFileSync(at('later.yaml'), '- end: complete\n');
    expect(await status).toBe(0);
  });

  it('of a folder, prints what is new as JSON, and goes on after a damaged cassette and one that is removed', async () => {
    writeFileSync(at('old.yaml'), HEAD + ask(1, 'old'));
    const { running, line, status } = follow(folder, '--json');
    expect(await line('err')).toContain('following');
    appendFileSync(at('old.yaml'), ask(2, 'first'));
    expect(JSON.parse(await line('out'))).toMatchObject({ kind: 'request', what: 'tools/call "first"', line: 11 });
    expect(await line('err')).toContain('old.yaml');
    writeFileSync(at('bad.yaml'), `${HEAD}- cliemt:\n    id: 1\n${ask(1, 'x')}`);
    expect(await line('err')).toContain('bad.yaml');
    rmSync(at('old.yaml'));
    let said = await line('err');
    while (!said.includes('removed')) said = await line('err');
    expect(said).toContain('old.yaml was removed');
    writeFileSync(at('new.yaml'), HEAD + ask(1, 'last'));
    expect(JSON.parse(await line('out'))).toMatchObject({ what: 'tools/call "last"' });
    running.signal('SIGTERM');
    expect(await status).toBe(0);
  });

  it('says at once what can never be followed', async () => {
    const nowhere = follow(join(folder, 'no', 'such.yaml'));
    expect([await nowhere.line('err'), await nowhere.status]).toEqual([
      expect.stringContaining('CASSETTE_NOT_FOUND'),
      2,
    ]);
    writeFileSync(at('no-cassette.txt'), 'a: 1\nevents:\n- b\n- c\n');
    const foreign = follow(at('no-cassette.txt'));
    expect([await foreign.line('err'), await foreign.status]).toEqual([expect.stringMatching(/\[CASSETTE_\w+\]/), 2]);
  });
});
