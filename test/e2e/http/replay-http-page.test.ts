import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { Running, run } from '../../support/process.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'replay-http.md'), 'utf8');
const blocks = blocksOf('docs/replay-http.md', page);
const folder = temporaryFolder();
const WRITTEN = 'http://127.0.0.1:8080';

let server: Running | undefined;
let origin = '';
/** Functions that the page has defined so far. */
let functions = '';
/** Id of the latest session, and the one that the page shows in its place. */
let session = { live: '', shown: '' };

/** Starts the server of a line of the page, in place of the one before. */
async function serve(file: string, output: string): Promise<void> {
  await server?.[Symbol.asyncDispose]();
  server = new Running({ ...mcpRecord('replay', '--http', file), cwd: folder });
  const started = await server.line(server.child.stderr);
  server.read();
  origin = /http:\/\/127\.0\.0\.1:\d+/.exec(started)![0];
  expect(started).toMatch(patternOf(output));
}

/** Runs a line in bash, after the functions of the page. */
async function printed(line: string): Promise<string> {
  const script = `${functions}\nid=${session.live}\n${line}`.replaceAll(WRITTEN, origin);
  const { stdout } = await run({ command: 'bash', args: ['-c', script] });
  return `${stdout}`.replaceAll('\r', '');
}

/** What the page prints, with whatever stands for `…`. */
function patternOf(output: string): RegExp {
  const parts = output.trimEnd().replaceAll(WRITTEN, origin).replaceAll(session.shown, session.live).split('…');
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}\\s*$`);
}

async function follow(line: string, output: string): Promise<void> {
  const replayed = /^mcp-record replay .* (\S+)$/.exec(line);
  if (replayed) return serve(replayed[1]!, output);
  if (line.startsWith('id=')) return;
  const shown = /^mcp-session-id: (\S+)$/m.exec(output)?.[1];
  const text = await printed(line);
  if (shown) session = { shown, live: /^mcp-session-id: (\S+)$/m.exec(text)![1]! };
  expect(text).toMatch(patternOf(output));
}

beforeAll(() => {
  for (const { text } of blocks) {
    const name = /^# (\S+\.yaml)\n/.exec(text)?.[1];
    if (name) writeFileSync(join(folder, name), text);
  }
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe('the page of replay over HTTP', () => {
  itOnPosix('shell', 'shows what its commands print', async () => {
    let followed = 0;
    for (const { language, text } of blocks) {
      if (language === 'bash') functions += text;
      if (language !== 'console') continue;
      for (const [, line, output] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
        await follow(line!, output!);
        followed += 1;
      }
    }
    expect(followed).toBe(page.match(/^\$ /gm)!.length);
    const said = blocks.find(({ language, text }) => language === 'text' && text.startsWith('mcp-record: The client'))!;
    server!.signal('SIGTERM');
    expect((await server!.ended).stderr).toContain(said.text);
  });

  itOnPosix('shell', 'serves its cassettes with statuses and a resumed stream as it says', async () => {
    functions = blocks.find(({ text }) => text.startsWith('post()'))!.text;
    functions += blocks.find(({ text }) => text.startsWith('call()'))!.text;
    await serve('token.yaml', '…');
    expect(await printed('call 1 Oslo')).toContain('sunny');
    expect(await printed('call 2 Rome -i')).toMatch(/^HTTP\/1\.1 503 /);
    await serve('resume.yaml', '…');
    const initialize = /\$ (post .*"initialize".*)/.exec(page)![1]!;
    session.live = /^mcp-session-id: (\S+)$/m.exec(await printed(initialize))![1]!;
    expect(await printed('call 2 Oslo -H "Mcp-Session-Id: $id"')).toMatch(/^id: a\ndata: \s*$/);
    const resume = `curl -s ${WRITTEN}/mcp -H 'Accept: text/event-stream' -H "Mcp-Session-Id: $id" -H 'Last-Event-ID: `;
    expect(await printed(`${resume}a'`)).toContain('sunny');
    expect(await printed(`${resume}z' -i`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('names each of its sections in the table of tasks', () => {
    const sections = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!.replace(/ \(.*/, ''));
    for (const heading of sections) expect(page).toContain(`| [${heading}](#`);
  });
});
