import { describe } from 'vitest';
import { nockEndpoint } from '../../../src/adapters/nock.ts';
import { contract, overHttp } from './contract.ts';
import { nodeLine } from './node-line.ts';
import { recordingContract } from './recording.ts';

describe.runIf(nodeLine >= 22)('on Node 22 and later', () => {
  contract({
    name: 'nock 15',
    manyClients: true,
    async start(cassette) {
      const { default: nock } = await import('nock15');
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

  recordingContract({
    name: 'nock 15',
    async place(url, cassette, options) {
      const { default: nock } = await import('nock15');
      nock.disableNetConnect();
      const endpoint = nockEndpoint(nock, url, cassette, { ...options, record: true });
      const leave = () => {
        nock.cleanAll();
        nock.enableNetConnect();
      };
      return { endpoint, leave };
    },
  });
});
