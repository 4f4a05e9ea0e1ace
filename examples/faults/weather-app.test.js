import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';
import { weatherOf } from './weather-app.js';

test('says so when the server answers with an error', async ({ mcp }) => {
  mcp.faults([{ do: 'error-reply', when: { method: 'tools/call' }, message: 'out of order' }]);
  const { transport } = await mcp.server('cassettes/weather.yaml');
  expect(await weatherOf('Oslo', transport)).toBe('There is no weather now');
});

test('says so when the server dies in the middle', async ({ mcp }) => {
  mcp.faults([{ do: 'cut', when: { tool: 'weather' } }]);
  const { transport } = await mcp.server('cassettes/weather.yaml');
  expect(await weatherOf('Oslo', transport)).toBe('There is no weather now');
});

test('waits an hour for the weather, in no time', async ({ mcp }) => {
  const clock = mcp.clock();
  mcp.faults([{ do: 'latency', delay: 3_600_000, when: { tool: 'weather' } }]);
  const { transport, session } = await mcp.server('cassettes/weather.yaml');
  const weather = weatherOf('Oslo', transport);
  while (session.fired.length === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(3_600_000);
  expect(await weather).toBe('Oslo has 20 degrees');
});
