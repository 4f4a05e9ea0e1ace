import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/cassette.ts';
import { WAYS } from './clients.ts';
import { mockServerTests, WEATHER } from './mock-server-tests.ts';

const tape = join(temporaryFolder(), 'weather.yaml');
writeFileSync(tape, WEATHER);

/** What mock-server.test.ts shows with SDK 1, with the other clients. */
mockServerTests(
  WAYS.filter(({ client, over }) => over === 'stdio' && client !== 'SDK 1'),
  tape,
);
