import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { securedServer } from './authorized-server.ts';
import { useForwardProxyBench } from './forward-proxy-bench.ts';
import { server } from './processes.ts';
import { NAME, webProxy } from './web-proxy.ts';

const bench = useForwardProxyBench();
const programs = join(import.meta.dirname, 'proxied-clients');

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'other', version: '1' } },
});

interface OtherClient {
  /** Arguments of the program that prints its version, or the one of its library. */
  version: string[];
  args(url: string): string[];
  /** What it prints at the end. */
  said: string;
}

const SUM = '"text":"3"';
const HEADERS = ['content-type: application/json', 'accept: application/json, text/event-stream'];
/** Clients by their name and program, which use the proxy by the variables that the recorder sets. */
const CLIENTS: Readonly<Record<string, OtherClient>> = {
  curl: {
    version: ['--version'],
    args: (url) => ['-sS', '-m', '60', ...HEADERS.flatMap((header) => ['-H', header]), '-d', INITIALIZE, url],
    said: '"protocolVersion":"2025-11-25"',
  },
  'python3 urllib': {
    version: ['--version'],
    args: (url) => [join(programs, 'client.py'), 'urllib', url],
    said: SUM,
  },
  'python3 requests': {
    version: ['-c', 'import requests'],
    args: (url) => [join(programs, 'client.py'), 'requests', url],
    said: SUM,
  },
  'go net/http': { version: ['version'], args: (url) => ['run', join(programs, 'client.go'), url], said: SUM },
};

async function isInstalled(program: string, args: string[]): Promise<boolean> {
  try {
    await promisify(execFile)(program, args);
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.entries(CLIENTS))('%s', (name, { version, args, said }) => {
  const [program = ''] = name.split(' ');
  const cassette = (output: string) => readFileSync(bench.path(output), 'utf8');

  // Go uses no proxy for localhost, so the server has a name that only another proxy before the recorder can resolve.
  it.for(['https', 'http'])('uses the proxy for %s by the variables of the recorder', async (scheme, { skip }) => {
    if (!(await isInstalled(program, version))) skip(`${name} is not installed`);
    await using plain = await server('sdk-1.js', 'sse');
    using secured = await securedServer(Number(plain.url.port), bench.certificate);
    using further = await webProxy();
    const { port } = scheme === 'https' ? secured.url : plain.url;
    const url = `${scheme}://${NAME}:${port}/mcp`;
    const output = `${name.replace(/\W/g, '-')}-${scheme}.yaml`;
    const env = { HTTPS_PROXY: further.url, HTTP_PROXY: further.url };
    const ended = await bench.recorded(`${scheme}://${NAME}:${port}`, output, [program, ...args(url)], env);
    expect([ended.stderr, ended.status]).toEqual([expect.anything(), 0]);
    expect(ended.stdout.toString()).toContain(said);
    expect(cassette(output)).toContain('name: other');
    expect(cassette(output)).toContain(`\nurl: ${url}\n`);
    expect(further.asked.join()).toContain(`${NAME}:${port}`);
  });
});

it('go uses no proxy for localhost, so the run fails and says so', async ({ skip }) => {
  const { version, args } = CLIENTS['go net/http']!;
  if (!(await isInstalled('go', version))) skip('go is not installed');
  await using plain = await server('sdk-1.js', 'sse');
  const ended = await bench.recorded(plain.url.href, 'go-past.yaml', ['go', ...args(plain.url.href)]);
  expect([ended.status, ended.stdout.toString()]).toEqual([1, expect.stringContaining(SUM)]);
  expect(ended.stderr).toContain('Go uses no proxy for localhost');
  expect(ended.stderr).toContain('[PROXY_NOTHING_RECORDED]');
});
