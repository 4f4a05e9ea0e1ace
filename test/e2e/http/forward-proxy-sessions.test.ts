import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { type Ended, run } from '../../support/process.ts';
import { ACCESS_TOKEN, authorizedServer, securedServer } from './authorized-server.ts';
import { useForwardProxyBench } from './forward-proxy-bench.ts';
import { type Listening, record, replay, server } from './processes.ts';

const TOKEN = 'planted-bearer-token-3141592653';
const client = join(import.meta.dirname, 'proxied-clients', 'client.js');

const bench = useForwardProxyBench();
const { path, options, recorded } = bench;
const ownCa = () => path('own');

/** A client that nobody starts in a recorder. */
function alone(kind: string, url: URL, env = {}): Promise<Ended> {
  return run({ command: bench.node, args: [client, kind, url.href], env: { TOKEN, ...env } });
}

/** The events of a cassette. Streams are opened side by side, in any order, and so are their numbers. */
function contents(output: string): string[] {
  const [, ...events] = readFileSync(path(output), 'utf8').split(/\n- /);
  return events.map((event) => event.replace(/\n {2}stream: \d+/g, '')).sort();
}

const RESULTS = [expect.arrayContaining(['add']), { content: [{ type: 'text', text: '3' }] }, expect.anything()];
const results = ({ stdout }: Ended) => JSON.parse(stdout.toString());

/** Starts a program without the variable by which Node trusts a certificate. */
const START =
  "delete process.env.NODE_EXTRA_CA_CERTS; const { status } = require('child_process').spawnSync(process.argv[1], process.argv.slice(2), { stdio: 'inherit' }); process.exit(status);";

describe('a client behind a forward proxy', () => {
  it.each(['sdk-1', 'client-2'])('of %s is recorded as behind a reverse proxy, but for the URL', async (kind) => {
    await using plain = await server('sdk-1.js', 'sse');
    using secured = await securedServer(Number(plain.url.port), bench.certificate);
    const { host, href } = secured.url;

    const ended = await recorded(host, `${kind}-forward.yaml`, [bench.node, client, kind, href], { TOKEN });
    expect([ended.status, results(ended)]).toEqual([0, RESULTS]);
    expect(ended.stderr).toContain(`as a proxy for ${host}`);

    await using reverse = await record(
      secured.url,
      path(`${kind}-reverse.yaml`),
      '--ca',
      bench.far.file,
      '--timing',
      'none',
    );
    expect(results(await alone(kind, reverse.url))).toEqual(RESULTS);
    await reverse.stop();
    const [forward, backward] = [`${kind}-forward.yaml`, `${kind}-reverse.yaml`].map(contents);
    expect(forward!.length).toBeGreaterThan(10);
    expect(forward).toEqual(backward);
    const text = readFileSync(path(`${kind}-forward.yaml`), 'utf8');
    expect(text).toContain(`\nurl: ${href}\n`);
    expect(text).not.toMatch(/planted|proxied-clients|CERTIFICATE/);

    const verified = await run(
      mcpRecord('verify', path(`${kind}-forward.yaml`), '--http', href, '--ca', bench.far.file),
    );
    expect([verified.status, verified.stderr]).toEqual([0, expect.anything()]);
    await using mock: Listening = await replay(path(`${kind}-forward.yaml`));
    expect(results(await alone(kind, mock.url))).toEqual(RESULTS);
  });

  it('gets a token that is bound to addresses, and uses it, which a reverse proxy has to refuse', async () => {
    await using plain = await server('sdk-1.js', 'sse');
    using authorized = await authorizedServer(Number(plain.url.port), bench.certificate);
    const { url, issuer, clientKey } = authorized;
    const env = { CLIENT_KEY: clientKey, ISSUER: issuer };

    const hosts = `${url.host},${new URL(issuer).host}`;
    const ended = await recorded(hosts, 'bound.yaml', [bench.node, client, 'authorized', url.href], env);
    expect([ended.stderr, ended.status, results(ended)]).toEqual([expect.anything(), 0, RESULTS]);
    expect(authorized.refusals).toEqual([]);
    const names = readdirSync(bench.folder).filter((name) => name.startsWith('bound'));
    const text = names.map((name) => readFileSync(path(name), 'utf8')).join('');
    expect(text).toContain('authorization: DPoP');
    expect(text).not.toMatch(/planted|eyJ|client_assertion|access_token|PRIVATE/);
    expect(text + ended.stderr).not.toContain(ACCESS_TOKEN);

    await using reverse = await record(url, path('unbound.yaml'), '--ca', bench.far.file);
    // The issuer as its clients know it there: it is the signature that cannot pass.
    const known = `${reverse.url.origin}/.mcp-record/https/${new URL(issuer).host}`;
    const refused = await alone('authorized', reverse.url, { ...env, ISSUER: known });
    expect([refused.status, results(refused)]).toEqual([3, [expect.any(String)]]);
    expect((await reverse.stop()).stderr).toContain('HTTP_CANNOT_AUTHORIZE');
  });

  it('gets a token by a signed assertion with SDK 1, which has no DPoP', async () => {
    await using plain = await server('sdk-1.js', 'sse');
    using authorized = await authorizedServer(Number(plain.url.port), bench.certificate, 'Bearer');
    const { url, issuer, clientKey } = authorized;
    const command = [bench.node, client, 'assertion-1', url.href];
    const ended = await recorded(`${url.host},${new URL(issuer).host}`, 'assertion.yaml', command, {
      CLIENT_KEY: clientKey,
    });
    expect([ended.stderr, ended.status, results(ended)]).toEqual([expect.anything(), 0, RESULTS]);
    expect(authorized.refusals).toEqual([]);
    const text = readFileSync(path('assertion.yaml'), 'utf8');
    expect(text).toContain('authorization: Bearer');
    expect(text + ended.stderr).not.toMatch(/eyJ|client_assertion|planted/);
  });

  it('and behind a reverse proxy has one cassette of HTTP with SSE, also if a comment comes before the endpoint', async () => {
    await using plain = await server('comment-first.js');
    const url = new URL('/sse', plain.url);
    const ended = await recorded(url.href, 'sse-forward.yaml', [bench.node, client, 'sse-1', url.href]);
    expect([ended.stderr, ended.status, results(ended)[1]]).toEqual([expect.anything(), 0, RESULTS[1]]);
    await using reverse = await record(url, path('sse-reverse.yaml'), '--timing', 'none');
    expect(results(await alone('sse-1', reverse.url))[1]).toEqual(RESULTS[1]);
    await reverse.stop();

    const names = readdirSync(bench.folder).filter((name) => name.startsWith('sse-'));
    expect(names.sort()).toEqual(['sse-forward.yaml', 'sse-reverse.yaml']);
    const [forward, backward] = names.map(contents);
    expect(forward).toEqual(backward);
    expect(forward!.filter((event) => /^comment: |^sse:\n {4}(retry|event): /.test(event))).toHaveLength(3);
    expect(forward!.filter((event) => event.includes('method: tools/call'))).toHaveLength(2);
    await using mock = await replay(path('sse-forward.yaml'));
    expect(results(await alone('sse-1', new URL('/sse', mock.url)))[1]).toEqual(RESULTS[1]);
  });

  it('has its authorization flow in the cassette, without the token and the assertion, if that is kept', async () => {
    await using plain = await server('sdk-1.js', 'json');
    using authorized = await authorizedServer(Number(plain.url.port), bench.certificate);
    const { url, issuer, clientKey } = authorized;
    const hosts = `${url.host},${new URL(issuer).host}`;
    const words = ['--keep-authorization', '--proxy', hosts, '-o', path('kept.yaml'), ...options()];
    const command = mcpRecord('record', ...words, '--', bench.node, client, 'authorized', url.href);
    const ended = await run({ ...command, env: { CLIENT_KEY: clientKey, ISSUER: issuer } });
    expect([ended.stderr, ended.status, results(ended)]).toEqual([expect.anything(), 0, RESULTS]);
    const text = readFileSync(path('kept.yaml'), 'utf8');
    expect(text).toMatch(/request: oauth\/token\n {4}url: https:\/\/localhost:\d+\/token\n/);
    expect(text).toMatch(/client_assertion: "\[redacted:client_assertion:1\]"/);
    expect(text).toMatch(/access_token: "\[redacted:access_token:1\]"\n {6}token_type: DPoP\n {6}expires_in: 300\n/);
    expect(text).not.toMatch(/planted|eyJ|PRIVATE/);
    expect(text + ended.stderr).not.toContain(ACCESS_TOKEN);
  });

  it('that does not trust the certificate is said to, and the run does not pass', async () => {
    await using plain = await server('sdk-1.js', 'json');
    using secured = await securedServer(Number(plain.url.port), bench.certificate);
    const command = [process.execPath, '-e', START, bench.node, client, 'sdk-1', secured.url.href];
    const ended = await recorded(secured.url.host, 'distrusted.yaml', command, { TOKEN });
    expect(ended.stdout.toString()).toMatch(/SELF_SIGNED_CERT|UNABLE_TO_/);
    expect(ended.stderr).toMatch(/PROXY_CERTIFICATE_DISTRUSTED\]\n {2}Start the client .* NODE_EXTRA_CA_CERTS/);
    expect(ended.status).toBe(3);
  });
});

describe('record --proxy', () => {
  const nothing = ['-e', ''];

  it('ends as its client does', async () => {
    const ended = await recorded('a.example', 'status.yaml', [process.execPath, '-e', 'process.exit(7)']);
    expect(ended.status).toBe(7);
    const missing = await recorded('a.example', 'status.yaml', ['no-such-client-of-mcp']);
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('[COMMAND_NOT_FOUND]')]);
  });

  it('sets the variables of its client, and takes named hosts out of NO_PROXY', async () => {
    const print = 'console.log(JSON.stringify(process.env))';
    const env = {
      NO_PROXY: 'localhost, .example,other.test',
      no_proxy: '',
      SSL_CERT_FILE: bench.far.file,
      NODE_EXTRA_CA_CERTS: '',
    };
    const ended = await recorded('mcp.example', 'env.yaml', [process.execPath, '-e', print], env);
    const seen = JSON.parse(ended.stdout.toString());
    const [, origin] = /listening on (\S+) as a proxy/.exec(ended.stderr) ?? [];
    expect(seen).toMatchObject({
      HTTPS_PROXY: origin,
      https_proxy: origin,
      HTTP_PROXY: origin,
      http_proxy: origin,
      NO_PROXY: 'localhost,other.test',
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: join(ownCa(), 'ca.pem'),
      SSL_CERT_FILE: join(ownCa(), 'ca-bundle.pem'),
    });
    const bundle = readFileSync(seen.REQUESTS_CA_BUNDLE, 'utf8');
    expect(bundle.match(/BEGIN CERTIFICATE/g)!.length).toBeGreaterThan(100);
    for (const file of [seen.NODE_EXTRA_CA_CERTS, bench.far.file])
      expect(bundle).toContain(readFileSync(file, 'utf8').trim());
  });

  it('makes the authority in the folder of the user, once', async () => {
    const home = path('home');
    const env = { XDG_DATA_HOME: home, LOCALAPPDATA: home };
    const command = mcpRecord(
      'record',
      '--proxy',
      'a.example',
      '-o',
      path('x.yaml'),
      '--',
      process.execPath,
      ...nothing,
    );
    expect((await run({ ...command, env })).stderr).toContain('made a certificate authority for this user in ');
    expect((await run({ ...command, env })).stderr).not.toContain('made a certificate authority');
    const key = statSync(join(home, 'mcp-record', 'proxy-ca', 'ca-key.pem'));
    expect(process.platform === 'win32' || (key.mode & 0o777) === 0o600).toBe(true);
  });

  it.each([
    ['a bad host', ['--proxy', '*.example'], {}, 'USAGE_BAD_PROXY_HOST'],
    ['a bad number', ['--proxy', 'a.example', '--idle', 'x'], {}, 'USAGE_BAD_NUMBER'],
    [
      'itself as its own proxy',
      ['--proxy', 'a.example', '--listen', '7999'],
      { HTTPS_PROXY: 'http://127.0.0.1:7999' },
      'PROXY_LOOP',
    ],
    [
      'a reverse proxy beside it',
      ['--proxy', 'a.example', '--http', 'http://b.example/mcp'],
      {},
      'USAGE_OPTION_WITHOUT_MEANING',
    ],
    ['headers for the server', ['--proxy', 'a.example', '--header', 'a: b'], {}, 'USAGE_OPTION_WITHOUT_MEANING'],
  ])('refuses %s', async (_what, words, env, code) => {
    const ended = await run({ ...mcpRecord('record', '-o', path('bad.yaml'), ...words), env });
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });

  it('says that a port is taken', async () => {
    await using plain = await server('sdk-1.js', 'json');
    const words = ['--proxy', 'a.example', '-o', path('taken.yaml'), '--proxy-ca', ownCa()];
    const ended = await run(mcpRecord('record', ...words, '--listen', plain.url.host));
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('[HTTP_CANNOT_LISTEN]')]);
  });
});
