import { expect, test } from '@playwright/test';
import { serverTests, withMcp } from 'mcp-record/testing';
import { weatherOf } from './weather-app.js';

const server = { command: 'node', args: ['server.js'] };

test('tells the weather', () => {
  const { file, titlePath } = test.info();
  return withMcp({ file, names: titlePath.slice(1) }, async (mcp) => {
    expect(await weatherOf('Oslo', await mcp.connect(server))).toBe('Oslo has 20 degrees');
  });
});

test.describe('the server', () => {
  for (const { title, run } of serverTests('cassettes/weather.yaml', () => server)) test(title, run);
});
