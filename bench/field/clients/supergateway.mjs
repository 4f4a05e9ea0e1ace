// Supergateway, between a client of the official SDK and the server: over HTTP before stdio, over stdio before HTTP.
import { freePort, listening, program, sdkInFront } from '../cli.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const gateway = (...words) => program('clients/supergateway', 'supergateway/dist/index.js', ...words);
if (url)
  await use(
    await sdkInFront({ subject: 'clients/supergateway', command: gateway('--streamableHttp', url), timeout: TIMEOUT }),
  );
else await use(await beforeStdio());

async function beforeStdio() {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/mcp`;
  const line = [server.command, ...server.args].map((word) => `'${word}'`).join(' ');
  const words = ['--stdio', line, '--outputTransport', 'streamableHttp', '--stateful', '--port', `${port}`];
  const steps = await sdkInFront({ subject: 'clients/supergateway', url: address, timeout: TIMEOUT });
  let stop;
  return {
    ...steps,
    open: async () => {
      stop = await listening(gateway(...words), address);
      await steps.open();
    },
    close: async () => {
      await steps.close();
      await stop?.();
    },
  };
}
