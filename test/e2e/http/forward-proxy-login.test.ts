import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCESS_TOKEN } from './authorized-server.ts';
import { useForwardProxyBench } from './forward-proxy-bench.ts';
import { loginServer, type NamedIssuer } from './login-server.ts';
import { server } from './processes.ts';

const bench = useForwardProxyBench();
const client = join(import.meta.dirname, 'proxied-clients', 'login.js');
const SUM = { content: [{ type: 'text', text: '3' }] };

/** Runs a client that logs in at a server of this kind, behind a recorder. */
async function login(kind: string, named: NamedIssuer) {
  await using plain = await server('sdk-1.js', 'json');
  using real = await loginServer(Number(plain.url.port), bench.certificate, named);
  const output = `${kind}-${named}.yaml`;
  const hosts = `${real.url.host},${new URL(real.issuer).host}`;
  const ended = await bench.recorded(hosts, output, [bench.node, client, kind, real.url.href]);
  const cassette = () => readFileSync(bench.path(output), 'utf8');
  return { ...ended, got: JSON.parse(ended.stdout.toString()), real: { ...real }, cassette };
}

describe('a login with the issuer in its response (RFC 9207), behind a forward proxy', () => {
  it.each(['sdk-1', 'sdk-1-checked', 'client-2'])('passes with %s, and is not recorded', async (kind) => {
    const { status, stderr, got, real, cassette } = await login(kind, 'own');
    expect([stderr, status, got]).toEqual([expect.anything(), 0, [SUM]]);
    expect(real.refusals).toEqual([]);
    expect(cassette()).toContain(`\nurl: ${real.url.href}\n`);
    expect(cassette()).toContain('name: add');
    // The login is no part of the session, and the token is no part of a cassette.
    expect(cassette()).not.toMatch(/code_verifier|registered-client|state-of-this-login|\/authorize/);
    expect(cassette() + stderr).not.toContain(ACCESS_TOKEN);
  });

  it.each<[string, NamedIssuer]>([
    ['sdk-1-checked', 'another'],
    ['sdk-1-checked', 'none'],
    ['client-2', 'another'],
    ['client-2', 'none'],
  ])('is given up by %s where the response names %s', async (kind, named) => {
    const { status, got, real } = await login(kind, named);
    const why = kind === 'client-2' ? 'IssuerMismatchError' : 'Error the issuer ';
    expect([status, got]).toEqual([3, [expect.stringContaining(why)]]);
    expect(real.refusals).toEqual([]);
  });

  it.each<NamedIssuer>(['another', 'none'])(
    'passes with sdk-1 also where the response names %s: it does not compare',
    async (named) => {
      const { status, got } = await login('sdk-1', named);
      expect([status, got]).toEqual([0, [SUM]]);
    },
  );
});
