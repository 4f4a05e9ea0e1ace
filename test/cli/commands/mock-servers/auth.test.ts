/** `--auth` of `replay` and `mock`, as processes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Stranger } from '../../../mock/authorization/stranger.ts';
import { WEATHER } from '../../../mock/control/controlled.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { Running } from '../../../support/process.ts';

const folder = temporaryFolder();
let files = 0;
function fileOf(text: string): string {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, text);
  return file;
}
const cassette = fileOf(WEATHER);
const mock = fileOf('format: mcp-record-mock/1\ntools:\n  - { name: one, answers: [{ returns: I am one. }] }\n');

/** Reads the lines of standard error up to one that says what is looked for. */
async function said(server: Running, wanted: RegExp): Promise<string> {
  for (;;) {
    const found = wanted.exec(await server.line(server.child.stderr))?.[1];
    if (found !== undefined) return found;
  }
}

it.each([
  ['replay', ['replay', '--http', '--auth', cassette]],
  ['replay, with faults', ['replay', '--http', '--auth', '--fault', 'token-refused:tools/call', cassette]],
  ['mock', ['mock', '--http', '--auth', mock]],
])('%s wants tokens, and issues them; none is on standard error', async (_, words) => {
  await using server = new Running(mcpRecord(...words));
  const url = await said(server, /listening on (\S+)/);
  const stranger = new Stranger(url);
  expect(await said(server, /access tokens are issued by (\S+)/)).toBe(stranger.origin);
  expect((await stranger.ask(undefined)).status).toBe(401);
  const code = await stranger.code();
  const { access_token: access } = (await stranger.exchange(code)).body;
  expect((await stranger.ask(access)).status).toBe(200);
  server.signal('SIGTERM');
  const { stderr } = await server.read().ended;
  for (const secret of [access, code]) expect(stderr).not.toContain(secret);
  expect(stderr).not.toContain('never came back');
});
