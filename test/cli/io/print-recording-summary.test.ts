import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { record } from '../../e2e/http/processes.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { titled } from '../../support/on-posix.ts';
import { fixture, recorder, run } from '../../support/process.ts';
import { END_OF_INPUT, hasTerminal, OnTerminal } from '../../support/terminal.ts';

const newFile = freeNames(temporaryFolder());
const TOKEN = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
const line = (text: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/said', params: { text } })}\n`;

describe('a recorder that ends', () => {
  it('says what it redacted, also where its standard error is no terminal', async () => {
    const file = newFile();
    const { stdout, stderr } = await run(recorder(file, fixture('cat.js')), line(TOKEN));
    expect(stdout.toString()).toBe(line(TOKEN));
    const lines = [...readFileSync(file, 'utf8').split('\n').entries()].filter(([, text]) =>
      /^- (client|server):/.test(text),
    );
    const [said, heard] = lines.map(([n]) => n + 1);
    expect(stderr).toBe(
      `mcp-record: no request of a client, 1 value redacted in 2 places (github-token on lines ${said}, ${heard}) → ${file}\n`,
    );
  });

  it('says that it redacted nothing, also where its standard error is no terminal', async () => {
    const file = newFile();
    const { stderr } = await run(recorder(file, fixture('cat.js')), line('hello'));
    expect(stderr).toBe(`mcp-record: nothing redacted → ${file}\n`);
  });

  it.runIf(hasTerminal)(titled('says on a terminal what it recorded', 'terminals'), async () => {
    const file = newFile();
    await using terminal = new OnTerminal(recorder(file, fixture('cat.js')));
    await terminal.shows('Ctrl-D ends it.');
    terminal.type('{}\n');
    await terminal.shows('{}\n{}\n');
    terminal.type(END_OF_INPUT);
    await terminal.shows(`mcp-record: no request of a client, nothing redacted → ${file}\n`);
  });

  it('counts the calls of its client', async () => {
    const file = newFile();
    const requests = ['tools/list', 'tools/call', 'tools/call'].map((method, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { name: 'login', token: TOKEN } }),
    );
    const { stderr } = await run(recorder(file, fixture('answers.js')), `${requests.join('\n')}\n`);
    expect(stderr).toMatch(/^mcp-record: 2 calls, 1 value redacted in 6 places \(token on lines .*\) → /);
  });

  it('says over HTTP what it recorded and redacted, for each session', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: TOKEN } }));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    try {
      const file = newFile();
      const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
      await using recording = await record(url, file);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const headers = { 'content-type': 'application/json' };
      expect(await (await fetch(recording.url, { method: 'POST', body, headers })).text()).toContain(TOKEN);
      const { stderr } = await recording.stop();
      const summary = /^mcp-record: no call, 1 other request, 1 value redacted \(github-token on line \d+\) → (.+)$/m;
      expect(summary.exec(stderr)?.[1]).toBe(file);
    } finally {
      server.close();
    }
  });
});
