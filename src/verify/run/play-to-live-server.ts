import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { StartLiveServer } from './live-server-types.ts';
import { type RunRecordedClientOptions, runRecordedClient, type ServerRun } from './run-recorded-client.ts';

export interface PlayToLiveServerOptions extends Omit<RunRecordedClientOptions, 'server'> {
  start: StartLiveServer;
  clock: Clock;
  patience: Milliseconds;
}

/**
 * Starts the server under test, and plays the client of a cassette to it.
 * @throws McpRecordError if the server cannot be started or reached
 */
export function playToLiveServer({ start, ...options }: PlayToLiveServerOptions): Promise<ServerRun> {
  const { clock, patience } = options;
  return new Promise((resolve, reject) => {
    start({ patience, clock, failed: reject })
      .then((server) => runRecordedClient({ ...options, server }))
      .then(resolve, reject);
  });
}
