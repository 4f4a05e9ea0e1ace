import nock from 'nock14';
import { nockEndpoint } from '../../../src/adapters/nock.ts';
import { contract, overHttp } from './contract.ts';
import { handlerContract } from './handlers.ts';
import { recordingContract } from './recording.ts';

contract({
  name: 'nock 14',
  manyClients: true,
  async start(cassette) {
    const mock = nockEndpoint(nock, 'http://everything.test/mcp', cassette);
    return {
      url: 'http://everything.test/mcp',
      transport: overHttp('http://everything.test/mcp'),
      async end() {
        nock.cleanAll();
        return mock.finish();
      },
    };
  },
});

handlerContract('nock 14', async (cassette, handlers) => {
  const mock = nockEndpoint(nock, 'http://handled.test/mcp', cassette, { handlers });
  return {
    transport: overHttp('http://handled.test/mcp'),
    async end() {
      nock.cleanAll();
      return mock.finish();
    },
  };
});

recordingContract({
  name: 'nock 14',
  async place(url, cassette, options) {
    nock.disableNetConnect();
    const endpoint = nockEndpoint(nock, url, cassette, { ...options, record: true });
    const leave = () => {
      nock.cleanAll();
      nock.enableNetConnect();
    };
    return { endpoint, leave };
  },
});
