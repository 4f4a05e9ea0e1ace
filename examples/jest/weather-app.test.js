import { describe, expect, it, test } from '@jest/globals';
import { matchers, serverTests, withMcp } from 'mcp-record/testing';
import { weatherOf } from './weather-app.js';

expect.extend(matchers);
const server = { command: 'node', args: ['server.js'] };
/** What names the cassette of the test that runs. */
const thisTest = () => {
  const { testPath, currentTestName } = expect.getState();
  return { file: testPath, names: [currentTestName] };
};

test('tells the weather', () =>
  withMcp(thisTest(), async (mcp) => {
    expect(await weatherOf('Oslo', await mcp.connect(server))).toBe('Oslo has 20 degrees');
    expect(mcp).toHaveReceivedRequest('tools/call', { arguments: { city: 'Oslo' } });
  }));

describe('the server', () => {
  for (const { title, run } of serverTests('cassettes/weather.yaml', () => server)) it(title, run);
});
