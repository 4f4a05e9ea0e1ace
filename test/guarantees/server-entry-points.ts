import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import { compareServer } from '../../src/adapters/test/verify-server.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import type { Milliseconds } from '../../src/kernel/clock.ts';
import { lint } from '../../src/lint/lint.ts';
import { failedSteps } from '../../src/text-report/outcome-model.ts';
import { recordedServer } from '../e2e/adapters/joined.ts';
import type { Asked, EntryPoint } from './entry-point.ts';
import { CLI, runProcess } from './processes.ts';

/** Servers may say more than the cassette has, unless that is asked for. */
const SERVER: EntryPoint['verdicts'] = {
  miss: 'default',
  difference: 'default',
  unused: 'request',
  no: 'no',
};
const strictly = (asked: Asked, patience: Milliseconds) => ({ patience, strict: asked === 'request' });
const replayed = (live: string) => ({ command: process.execPath, args: [...CLI, 'replay', live] });

/** Ways to hold a server to a cassette. */
export const SERVER_ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: 'a function: `mcp.client`, `testServer`, `verifyServer`',
    runsIn: 'memory',
    request: '`strict: true`',
    verdicts: SERVER,
    async fails(recorded, live, asked, patience) {
      const outcome = await compareServer(recorded, recordedServer(live), strictly(asked, patience));
      return failedSteps(outcome).length > 0;
    },
  },
  {
    name: 'a command: the same, and `verify -- COMMAND`',
    runsIn: 'processes',
    request: '`--strict`',
    verdicts: SERVER,
    async fails(recorded, live, asked, patience) {
      const words = asked === 'request' ? ['--strict'] : [];
      const { command, args } = replayed(live);
      const { status } = await runProcess([
        ...CLI,
        'verify',
        '--timeout',
        String(patience),
        ...words,
        recorded,
        '--',
        command,
        ...args,
      ]);
      return status === 1;
    },
  },
  {
    name: 'a URL: the same, and `verify --http`',
    runsIn: 'network',
    request: '`--strict`',
    verdicts: SERVER,
    async fails(recorded, live, asked, patience) {
      const server = await mockServer(live, { over: 'http' });
      const outcome = await compareServer(recorded, { url: server.url }, strictly(asked, patience));
      await server.finish();
      return failedSteps(outcome).length > 0;
    },
  },
];

/** Ways to hold one cassette to another, and to the protocol: of both sides. */
export const CASSETTE_ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: '`diff`',
    runsIn: 'memory',
    request: '',
    verdicts: 'diff',
    async fails(recorded, live) {
      return diffSessions(loadCassette(recorded), loadCassette(live)).entries.length > 0;
    },
  },
  {
    name: '`lint`',
    runsIn: 'memory',
    request: '',
    verdicts: 'lint',
    async fails(_recorded, live) {
      return lint(loadCassette(live)).some(({ severity }) => severity === 'error');
    },
  },
];
