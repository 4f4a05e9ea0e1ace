// mcp-remote, between a client of the official SDK over stdio and the server over HTTP.
import { program, sdkInFront } from '../cli.mjs';
import { TIMEOUT, url, use } from '../session.mjs';

const command = program(
  'clients/mcp-remote',
  'mcp-remote/dist/proxy.js',
  url,
  '--allow-http',
  '--transport',
  'http-only',
);
await use(await sdkInFront({ subject: 'clients/mcp-remote', command, timeout: TIMEOUT }));
