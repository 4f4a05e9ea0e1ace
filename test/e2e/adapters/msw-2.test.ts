import { bypass, http } from 'msw2';
import { setupServer } from 'msw2/node';
import { mswEndpoint } from '../../../src/adapters/msw.ts';
import { contract, overHttp } from './contract.ts';
import { handlerContract } from './handlers.ts';
import { recordingContract } from './recording.ts';

contract({
  name: 'MSW 2',
  manyClients: true,
  async start(cassette) {
    const mock = mswEndpoint(http, 'http://everything.test/mcp', cassette);
    const server = setupServer(mock.handler);
    server.listen({ onUnhandledRequest: 'error' });
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

handlerContract('MSW 2', async (cassette, handlers) => {
  const mock = mswEndpoint(http, 'http://handled.test/mcp', cassette, { handlers });
  const server = setupServer(mock.handler);
  server.listen({ onUnhandledRequest: 'error' });
  return {
    transport: overHttp('http://handled.test/mcp'),
    async end() {
      server.close();
      return mock.finish();
    },
  };
});

recordingContract({
  name: 'MSW 2',
  async place(url, cassette, options) {
    const endpoint = mswEndpoint(http, url, cassette, { ...options, bypass });
    const server = setupServer(endpoint.handler);
    server.listen({ onUnhandledRequest: 'error' });
    return { endpoint, leave: () => server.close() };
  },
});
