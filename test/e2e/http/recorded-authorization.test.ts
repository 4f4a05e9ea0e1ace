import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { Running } from '../../support/process.ts';
import { call } from '../session/steps.ts';
import { Application, type Client, constellations } from './oauth-application.ts';
import { record, replay, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-kept-auth-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Authorizes a client that has nothing yet, calls, refreshes its token, and calls again. */
async function authorizeAndCall(client: Client, url: URL) {
  const application = new Application();
  await expect(client.connect(url, application)).rejects.toThrow(/Unauthorized/);
  await client.finish(url, application);
  const first = application.tokens() as Record<string, unknown>;
  const peer = await client.connect(url, application);
  const answers = [await call(peer, 'whoami')];
  expect(await client.refresh(url, application)).toBe('AUTHORIZED');
  const second = application.tokens() as Record<string, unknown>;
  answers.push(await call(peer, 'whoami'));
  await peer.close();
  return { application, answers, first, second };
}

async function recorded(client: Client, where: 'same' | 'other') {
  await using far = await server('protected.js', where, 'iss');
  const output = mkdtempSync(join(folder, 'cassettes-'));
  await using recorder = await record(far.url, `${output}/`, '--keep-authorization');
  const session = await authorizeAndCall(client, recorder.url);
  const { stderr } = await recorder.stop();
  const [name = '', ...others] = readdirSync(output);
  expect(others).toEqual([]);
  return { ...session, file: join(output, name), stderr, address: far.url };
}

async function ran(...args: string[]) {
  const { status, stdout, stderr } = await new Running(mcpRecord(...args)).read().ended;
  return { status, text: stdout.toString() + stderr };
}

const ANSWER = { content: [{ type: 'text', text: 'somebody' }] };

describe('an authorization flow that a recorder keeps', () => {
  it.each(constellations)(
    'of $name at the $where origin has no live value in the cassette, and configures two replays',
    async ({ client, where }) => {
      const { file, stderr, application, answers, first, second, address } = await recorded(client, where);
      const text = readFileSync(file, 'utf8');
      expect(answers).toMatchObject([ANSWER, ANSWER]);
      expect(application.secrets.length).toBeGreaterThanOrEqual(8);
      for (const secret of application.secrets) expect(text + stderr).not.toContain(secret);
      expect(text).not.toMatch(/planted/);
      const requests = [...text.matchAll(/^ {4}request: (\S+)$/gm)].map(([, request]) => request);
      expect(requests.filter((request) => request !== 'oauth/resource-metadata')).toEqual([
        ...['mcp', 'oauth/server-metadata', 'oauth/register', 'oauth/authorize', 'oauth/token', 'oauth/refresh'],
      ]);

      await using mock = await replay(file, '--auth');
      for (const _ of [1, 2]) {
        const again = await authorizeAndCall(client, mock.url);
        expect(again.answers).toMatchObject([ANSWER, ANSWER]);
        for (const [now, then] of [
          [again.first, first],
          [again.second, second],
        ] as const) {
          expect(Object.keys(now).sort()).toEqual(Object.keys(then).sort());
          expect(now).toMatchObject({ token_type: then.token_type, expires_in: then.expires_in });
          expect(String(now.access_token).split('.')).toHaveLength(3);
        }
        expect(again.second.refresh_token).not.toBe(again.first.refresh_token);
        for (const secret of again.application.secrets.filter((one) => one !== 'planted-state'))
          expect(application.secrets).not.toContain(secret);
      }
      const refused = await fetch(mock.url, { method: 'POST', body: '{}' });
      const [, challenge = ''] = /challenge: (Bearer .*)/.exec(text) ?? [];
      expect(refused.headers.get('www-authenticate')).toBe(challenge.replaceAll(address.origin, mock.url.origin));
      expect(await refused.json()).toEqual({
        error: 'invalid_token',
        error_description: 'Missing Authorization header',
      });
      const { stderr: said } = await mock.stop();
      expect(said).not.toMatch(/refused/);
      expect(said).toContain('clients are authorized as in the recording');
    },
  );

  it.each(
    constellations
      .filter(({ name }) => name === 'SDK 1')
      .flatMap((one) => [
        { ...one, options: [] as string[] },
        { ...one, options: ['--keep-authorization'] },
      ]),
  )(
    'of $name at the $where origin, with $options, has no code and no token that a tool repeats in any session',
    async ({ client, where, options }) => {
      await using far = await server('protected.js', where, 'repeats');
      const output = mkdtempSync(join(folder, 'repeated-'));
      await using recorder = await record(far.url, `${output}/`, ...options);
      const secrets: string[] = [];
      for (const _ of [1, 2]) {
        const { application } = await authorizeAndCall(client, recorder.url);
        const peer = await client.connect(recorder.url, application);
        const repeated = JSON.stringify(await call(peer, 'debug'));
        await peer.close();
        secrets.push(...application.secrets.filter((one) => repeated.includes(one)));
      }
      const { stderr } = await recorder.stop();
      // A code, two access tokens and two refresh tokens of each login.
      expect(secrets).toHaveLength(10);
      for (const name of readdirSync(output)) {
        const text = readFileSync(join(output, name), 'utf8');
        for (const secret of secrets) expect(text + stderr).not.toContain(secret);
      }
    },
  );

  it('serves the recorded metadata with its own addresses, and refuses a scope that the server does not have', async () => {
    const [{ client }] = constellations as [(typeof constellations)[number]];
    const { file } = await recorded(client, 'other');
    await using mock = await replay(file, '--auth');
    const issuer = `${mock.url.origin}/tenant`;
    const read = async (path: string) => (await fetch(new URL(path, mock.url))).json();
    expect(await read('/.well-known/oauth-authorization-server/tenant')).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint: `${issuer}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      scopes_supported: ['use'],
      registration_endpoint: `${issuer}/register`,
      authorization_response_iss_parameter_supported: true,
    });
    expect(await read('/.well-known/oauth-protected-resource/mcp')).toEqual({
      resource: mock.url.href,
      authorization_servers: [issuer],
    });
    const ask = (scope: string) =>
      fetch(
        `${issuer}/authorize?${new URLSearchParams({
          ...{ response_type: 'code', client_id: 'a', redirect_uri: 'http://127.0.0.1:1/back', scope },
          ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256', resource: mock.url.href },
        })}`,
        { redirect: 'manual' },
      );
    expect((await ask('use')).headers.get('location')).toMatch(/[?&]code=/);
    expect((await ask('use delete')).headers.get('location')).toMatch(/[?&]error=invalid_scope/);
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' });
    const refused = await fetch(`${issuer}/token`, { method: 'POST', body: form });
    expect(await refused.json()).toMatchObject({ error: 'invalid_target' });
    form.set('resource', mock.url.href);
    const other = await fetch(`${issuer}/token`, { method: 'POST', body: form });
    expect(await other.json()).toMatchObject({ error: 'unsupported_grant_type' });
  });

  it('is no obstacle to other commands', async () => {
    const [{ client }] = constellations as [(typeof constellations)[number]];
    const { file } = await recorded(client, 'same');
    const shown = await ran('show', file);
    expect(shown.status).toBe(0);
    expect(shown.text).toMatch(/authorization: oauth\/token, 200/);
    for (const args of [
      ['lint', file],
      ['diff', file, file],
      ['redact', '--check', file],
      ['report', file, '-o', join(folder, 'report.html')],
      ['convert', file, join(folder, 'session.har')],
      ['convert', file, join(folder, 'session.ndjson')],
      ['convert', join(folder, 'session.ndjson'), join(folder, 'converted.yaml')],
      ['check', file],
    ])
      expect({ args, ...(await ran(...args)) }).toEqual({ args, status: 0, text: expect.any(String) });
    const flow = (name: string) => readFileSync(name, 'utf8').match(/^ {4}request: .*$/gm);
    expect(flow(join(folder, 'converted.yaml'))).toEqual(flow(file));
    // Without --auth, the cassette is a recorded server as any other.
    await using mock = await replay(file);
    const peer = await client.connect(mock.url, new Application());
    expect(await call(peer, 'whoami')).toMatchObject(ANSWER);
    await peer.close();
    // Without the request that was refused, a client with a token does all of it.
    const accepted = join(folder, 'accepted.yaml');
    writeFileSync(accepted, readFileSync(file, 'utf8').replace(/- client:[\s\S]*?(?=- authorization:)/, ''));
    const verified = await ran('verify', '--http', mock.url.href, accepted);
    expect(verified).toEqual({ status: 0, text: expect.any(String) });
  });

  it('is refused with its place if it is damaged', async () => {
    const file = join(folder, 'damaged.yaml');
    writeFileSync(
      file,
      'format: mcp-record/1\ntransport: http\nevents:\n- authorization: { request: oauth/tokens, url: "http://a.example/" }\n',
    );
    const { status, text } = await ran('replay', '--http', '--auth', file);
    expect(status).toBe(2);
    expect(text).toContain('CASSETTE_BAD_EVENT');
    expect(text).toContain(`${file}:4`);
  });
});
