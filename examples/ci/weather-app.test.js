import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';
import { weatherOf } from './weather-app.js';

const server = { command: 'node', args: ['server.js'] };

test('tells the weather', async ({ mcp }) => {
  expect(await weatherOf('Oslo', await mcp.connect(server))).toBe('Oslo has 20 degrees');
  expect(mcp).toHaveReceivedRequest('tools/call', { arguments: { city: 'Oslo' } });
});
