import { expect, it } from 'vitest';
import { Stranger } from '../../../mock/authorization/stranger.ts';
import { mcpRecord } from '../../../support/command.ts';
import { Running } from '../../../support/process.ts';
import { authFiles, said } from './auth-files.ts';

const { cassette, mock } = authFiles();

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
