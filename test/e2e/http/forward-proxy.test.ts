import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../../support/command.ts';
import { type Ended, run } from '../../support/process.ts';
import { securedServer } from './authorized-server.ts';
import { useForwardProxyBench } from './forward-proxy-bench.ts';
import { listen, server } from './processes.ts';

const TOKEN = 'planted-bearer-token-3141592653';
const client = join(import.meta.dirname, 'proxied-clients', 'client.js');

const bench = useForwardProxyBench();
const { path, options, recorded } = bench;
const ownCa = () => path('own');

/** A client that nobody starts in a recorder. */
function alone(kind: string, url: URL, env = {}): Promise<Ended> {
  return run({ command: bench.node, args: [client, kind, url.href], env: { TOKEN, ...env } });
}

const RESULTS = [expect.arrayContaining(['add']), { content: [{ type: 'text', text: '3' }] }, expect.anything()];
const results = ({ stdout }: Ended) => JSON.parse(stdout.toString());

describe('record --proxy', () => {
  const nothing = ['-e', ''];

  it('fails where its client has passed and nothing was recorded', async () => {
    const ended = await recorded('a.example', 'nothing.yaml', [process.execPath, ...nothing]);
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining('[PROXY_NOTHING_RECORDED]')]);
    expect(readdirSync(bench.folder)).not.toContain('nothing.yaml');
  });

  it('prints the variables for a client that is started elsewhere, and ends by a signal', async () => {
    await using plain = await server('sdk-1.js', 'json');
    using secured = await securedServer(Number(plain.url.port), bench.certificate);
    const words = ['--proxy', secured.url.href, '-o', path('folder/'), ...options(), '--listen', '127.0.0.1:0'];
    await using recorder = await listen(
      mcpRecord('record', ...words),
      (line) => /listening on (\S+) as/.exec(line)?.[1],
    );
    await recorder.tells(
      `${process.platform === 'win32' ? `$env:HTTPS_PROXY = '` : 'export HTTPS_PROXY='}${recorder.url.origin}${process.platform === 'win32' ? `'` : ''}`,
    );
    const env = {
      HTTPS_PROXY: recorder.url.origin,
      NODE_USE_ENV_PROXY: '1',
      NODE_EXTRA_CA_CERTS: join(ownCa(), 'ca.pem'),
    };
    expect(results(await alone('sdk-1', secured.url, env))).toEqual(RESULTS);
    const { status } = await recorder.stop();
    expect([status, readdirSync(path('folder'))]).toEqual([0, [expect.stringMatching(/^localhost-\d+-.*\.yaml$/)]]);
  });
});
