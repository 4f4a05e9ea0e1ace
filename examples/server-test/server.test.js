import { testServer } from 'mcp-record/vitest';

// A test for each thing that the recorded client asked.
testServer('cassettes/weather.yaml', () => ({ command: 'node', args: ['server.js'] }));
