import { expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { McpRecordError } from '../../../src/kernel/errors.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { playToLiveServer } from '../../../src/verify/run/play-to-live-server.ts';

const cassette = loadCassette('cassettes/memory.yaml');
const clock = new ManualClock();
const error = new McpRecordError({ code: 'COMMAND_NOT_FOUND', what: 'Cannot start it', why: 'it is away', next: '' });

it('gives the server the clock and the patience of the run', async () => {
  const given: unknown[] = [];
  const run = playToLiveServer({
    cassette,
    clock,
    patience: 7,
    async start(options) {
      given.push(options.clock, options.patience);
      return {
        isProcess: true,
        begin: (_, events) => events.ended({ killed: false }),
        send() {},
        close() {},
      };
    },
  });
  expect(await run).toMatchObject({ died: true, exchanges: [] });
  expect(given).toEqual([clock, 7]);
});

it.each<[string, (failed: (error: McpRecordError) => void) => Promise<never>]>([
  ['cannot be reached', () => Promise.reject(error)],
  [
    'fails while it starts',
    (failed) => {
      failed(error);
      return new Promise(() => {});
    },
  ],
])('throws if the server %s', async (_, start) => {
  const run = playToLiveServer({ cassette, clock, patience: 7, start: ({ failed }) => start(failed) });
  await expect(run).rejects.toBe(error);
});
