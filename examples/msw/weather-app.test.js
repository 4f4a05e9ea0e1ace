import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mswEndpoint } from 'mcp-record/msw';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { weatherOf } from './weather-app.js';

const mock = mswEndpoint(http, 'https://weather.example/mcp', 'cassettes/weather.yaml');
const server = setupServer(mock.handler);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

test('tells the weather', async () => {
  const transport = new StreamableHTTPClientTransport(new URL('https://weather.example/mcp'));
  expect(await weatherOf('Oslo', transport)).toBe('Oslo has 20 degrees');
  expect(mock.finish().failures).toEqual([]);
});
