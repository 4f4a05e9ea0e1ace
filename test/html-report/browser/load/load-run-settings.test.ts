import { expect, it } from 'vitest';
import { runFacts } from '../../../../src/html-report/browser/load/load-run-settings.ts';

const RUN = { version: '1.2.0', date: '2026-11-29T04:12:00.000Z', clients: 20, for: 90_000, ramp: 0, workers: 1 };

it('names the server, the clients, the time, the date and the version', () => {
  expect(runFacts({ ...RUN, url: 'http://127.0.0.1:3000/mcp' })).toEqual([
    'http://127.0.0.1:3000/mcp',
    '20 clients, for 1:30 min',
    '2026-11-29 04:12 UTC',
    'mcp-record 1.2.0',
  ]);
});

it('names a command as a shell takes it, a rate, a ramp, and several workers', () => {
  const command = ['node', 'my server.js'];
  expect(runFacts({ ...RUN, command, clients: 1, rate: 2.5, ramp: 500, workers: 2 }).slice(0, 4)).toEqual([
    "node 'my server.js'",
    '2.5 sessions a second, at most 1 client, for 1:30 min',
    'ramp of 500 ms',
    '2 workers',
  ]);
});
