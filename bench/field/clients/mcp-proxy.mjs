// mcp-proxy, between a client of the official SDK over HTTP and the server over stdio.
import { freePort, listening, program, sdkInFront } from '../cli.mjs';
import { server, TIMEOUT, use } from '../session.mjs';

const port = await freePort();
const url = `http://127.0.0.1:${port}/mcp`;
const words = ['--host', '127.0.0.1', '--port', `${port}`, '--server', 'stream', '--', server.command, ...server.args];
let stop;
const steps = await sdkInFront({ subject: 'clients/mcp-proxy', url, timeout: TIMEOUT });
await use({
  ...steps,
  open: async () => {
    stop = await listening(program('clients/mcp-proxy', 'mcp-proxy/dist/bin/mcp-proxy.mjs', ...words), url);
    await steps.open();
  },
  close: async () => {
    await steps.close();
    await stop?.();
  },
});
