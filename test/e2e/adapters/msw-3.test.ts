import { describe } from 'vitest';
import { mswEndpoint } from '../../../src/adapters/msw.ts';
import { contract, overHttp } from './contract.ts';
import { nodeLine } from './node-line.ts';
import { recordingContract } from './recording.ts';

describe.runIf(nodeLine >= 22)('on Node 22 and later', () => {
  contract({
    name: 'MSW 3',
    manyClients: true,
    async start(cassette) {
      const [{ http }, { setupServer }] = await Promise.all([import('msw3'), import('msw3/node')]);
      const mock = mswEndpoint(http, 'http://everything.test/mcp', cassette);
      const server = setupServer(mock.handler);
      server.listen({ onUnhandledFrame: 'error' } as never);
      return {
        url: 'http://everything.test/mcp',
        transport: overHttp('http://everything.test/mcp'),
        async end() {
          server.close();
          return mock.finish();
        },
      };
    },
  });

  recordingContract({
    name: 'MSW 3',
    async place(url, cassette, options) {
      const [{ bypass, http }, { setupServer }] = await Promise.all([import('msw3'), import('msw3/node')]);
      const endpoint = mswEndpoint(http, url, cassette, { ...options, bypass });
      const server = setupServer(endpoint.handler);
      server.listen({ onUnhandledFrame: 'error' } as never);
      return { endpoint, leave: () => server.close() };
    },
  });
});
