import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serverTests, withMcp } from 'mcp-record/testing';
import { weatherOf } from './weather-app.js';

const file = fileURLToPath(import.meta.url);
const server = { command: 'node', args: ['server.js'] };

test('tells the weather', ({ name }) =>
  withMcp({ file, names: [name] }, async (mcp) => {
    assert.equal(await weatherOf('Oslo', await mcp.connect(server)), 'Oslo has 20 degrees');
  }));

describe('the server', () => {
  for (const { title, run } of serverTests('cassettes/weather.yaml', () => server)) it(title, run);
});
