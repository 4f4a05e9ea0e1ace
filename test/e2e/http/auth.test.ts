import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdk1Over } from '../session/sdk-1.ts';
import { call } from '../session/steps.ts';
import { Application, type Client, clients, constellations } from './oauth-application.ts';
import { record, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-auth-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('§13, authorization through the recorder', () => {
  it.each(constellations)(
    '$name finds the authorization server at the $where origin, gets a token for the server, and uses and renews it',
    async ({ where, client }) => {
      await using far = await server('protected.js', where);
      const output = mkdtempSync(join(folder, 'cassettes-'));
      await using recorder = await record(far.url, `${output}/`);
      const application = new Application();

      await expect(client.connect(recorder.url, application)).rejects.toThrow(/Unauthorized/);
      await client.finish(recorder.url, application);
      const peer = await client.connect(recorder.url, application);
      const first = await call(peer, 'whoami');
      expect(await client.refresh(recorder.url, application)).toBe('AUTHORIZED');
      const second = await call(peer, 'whoami');
      await peer.close();
      const { status, stdout, stderr } = await recorder.stop();

      expect([first, second]).toMatchObject(Array(2).fill({ content: [{ text: 'somebody' }] }));
      expect(far.said).toContain('refreshed');
      expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: '' });
      const cassettes = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
      expect(cassettes.join()).toContain('resource_metadata=');
      for (const text of [...cassettes, stderr]) expect(text).not.toMatch(/planted/);
      for (const secret of secretsOf(application)) expect(cassettes.join() + stderr).not.toContain(secret);
    },
  );

  it('is nothing to a client whose recorder has a token, from a command, and that token is nowhere else', async () => {
    await using far = await server('protected.js', 'same');
    const [one] = clients as [Client];
    const application = new Application();
    await expect(one.connect(far.url, application)).rejects.toThrow(/Unauthorized/);
    await one.finish(far.url, application);
    const [token = ''] = secretsOf(application);
    const [cassette, file] = [join(folder, 'cassette.yaml'), join(folder, 'token')];
    writeFileSync(file, `${token}\n`);

    const print = process.platform === 'win32' ? `type "${file}"` : `cat '${file}'`;
    await using recorder = await record(far.url, cassette, '--header', `Authorization: Bearer cmd:${print}`);
    const peer = await sdk1Over(new StreamableHTTPClientTransport(recorder.url));
    expect(await call(peer, 'whoami')).toMatchObject({ content: [{ text: 'somebody' }] });
    await peer.close();
    const { stderr } = await recorder.stop();
    expect(readFileSync(cassette, 'utf8') + stderr).not.toMatch(/planted|Bearer/);
  });

  it('names the issuer as the client knows it, where the authorization server asks its user nothing (RFC 9207)', async () => {
    await using far = await server('protected.js', 'other', 'iss');
    await using recorder = await record(far.url, join(mkdtempSync(join(folder, 'cassettes-')), 'cassette.yaml'));
    const strict = new Application();
    const [, two] = clients as [Client, Client];

    await expect(two.connect(recorder.url, strict)).rejects.toThrow(/Unauthorized/);
    await two.finish(recorder.url, strict);
    const peer = await two.connect(recorder.url, strict);
    expect(await call(peer, 'whoami')).toMatchObject({ content: [{ text: 'somebody' }] });
    await peer.close();
    const { stderr } = await recorder.stop();
    expect(stderr).not.toContain('HTTP_CANNOT_AUTHORIZE');
  });

  it('says why a client refuses an authorization server that names itself, before it asks its user anything (RFC 9207)', async () => {
    await using far = await server('protected.js', 'other', 'iss', 'page');
    await using recorder = await record(far.url, join(mkdtempSync(join(folder, 'cassettes-')), 'cassette.yaml'));
    const [lenient, strict] = [new Application('user=somebody'), new Application('user=somebody')];
    const [one, two] = clients as [Client, Client];

    await expect(one.connect(recorder.url, lenient)).rejects.toThrow(/Unauthorized/);
    await one.finish(recorder.url, lenient);
    const peer = await one.connect(recorder.url, lenient);
    expect(await call(peer, 'whoami')).toMatchObject({ content: [{ text: 'somebody' }] });
    await peer.close();

    await expect(two.connect(recorder.url, strict)).rejects.toThrow(/Unauthorized/);
    expect(recorder.said.join('\n')).toMatch(/names itself .*\[HTTP_CANNOT_AUTHORIZE\]/);
    await expect(two.finish(recorder.url, strict)).rejects.toThrow(/issuer/i);
  });
});

/** What the application was given, and nobody else may know. */
function secretsOf({ kept }: Application): string[] {
  const { tokens, verifier } = kept as { tokens: Record<string, string>; verifier: string };
  return [tokens.access_token!, tokens.refresh_token!, verifier];
}
