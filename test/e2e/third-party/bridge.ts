import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Command } from '../../support/command.ts';
import { Running } from '../../support/process.ts';
import type { Installed } from './installed.ts';

/** A server over stdio that mcp-proxy serves over HTTP. Killed when it goes out of scope. */
export interface Bridge extends AsyncDisposable {
  url: URL;
  port: number;
}

/** Starts mcp-proxy before a server, by default at a free port. It is the client of that server. */
export async function bridge(
  installed: Installed,
  { command, args, env }: Command,
  port: number | undefined = undefined,
): Promise<Bridge> {
  const at = port ?? (await freePort());
  const options = ['--port', String(at), '--host', '127.0.0.1'];
  const proxy = installed.program('mcp-proxy', ...options, '--', command, ...args);
  const running = new Running({ ...proxy, env: { ...proxy.env, ...env } }).read();
  // It tries ports before it listens on one: only an answer tells that it does.
  const isThere = () =>
    fetch(`http://127.0.0.1:${at}/ping`)
      .then(({ ok }) => ok)
      .catch(() => false);
  while (!(await isThere()));
  return {
    url: new URL(`http://127.0.0.1:${at}/mcp`),
    port: at,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
