import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { nockEndpoint } from 'mcp-record/nock';
import nock from 'nock';
import { weatherOf } from './weather-app.js';

test('tells the weather', async () => {
  nock.disableNetConnect();
  const mock = nockEndpoint(nock, 'https://weather.example/mcp', 'cassettes/weather.yaml');
  const transport = new StreamableHTTPClientTransport(new URL('https://weather.example/mcp'));
  assert.equal(await weatherOf('Oslo', transport), 'Oslo has 20 degrees');
  nock.cleanAll();
  assert.deepEqual(mock.finish().failures, []);
});
