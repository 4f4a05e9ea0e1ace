import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mockServer } from '../../../src/adapters/mock-server.ts';
import { contract, overHttp } from './contract.ts';

contract({
  name: 'a recorded server in this process',
  manyClients: false,
  async start(cassette) {
    const mock = await mockServer(cassette);
    return { transport: () => mock.transport, end: mock.finish };
  },
});

contract({
  name: 'a recorded server over HTTP',
  manyClients: true,
  async start(cassette) {
    const mock = await mockServer(cassette, { over: 'http' });
    return { url: mock.url, transport: overHttp(mock.url), end: mock.finish };
  },
});

contract({
  name: 'a recorded server as a command line',
  manyClients: true,
  async start(cassette) {
    const mock = await mockServer(cassette, { over: 'stdio' });
    const { command, args } = mock;
    return {
      transport: () => new StdioClientTransport({ command, args, stderr: 'ignore' }),
      end: mock.finish,
    };
  },
});
