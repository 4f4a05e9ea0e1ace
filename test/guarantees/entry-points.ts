import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { http } from 'msw2';
import { setupServer } from 'msw2/node';
import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import { mswEndpoint } from '../../src/adapters/msw.ts';
import { nockEndpoint } from '../../src/adapters/nock.ts';
import { replayTransport, type SdkTransport, sessionTransport } from '../../src/adapters/sdk.ts';
import { openMcp } from '../../src/adapters/test/mcp-fixture.ts';
import type { Expectations } from '../../src/adapters/test/replay-outcome.ts';
import { playClient, type TestedServer } from '../../src/adapters/test/verify-server.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { lint } from '../../src/lint/lint.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { failedSteps } from '../../src/text-report/outcome.ts';
import { recordedServer } from '../e2e/adapters/joined.ts';
import { overHttp } from '../e2e/adapters/over-http.ts';
import { CLI, runProcess, startReplayHttp } from './processes.ts';
import type { Row, Verdict } from './rows.ts';

/** How much is asked for: what holds by default, or all that can be compared. */
export type Asked = 'default' | 'request';

/** One way to hold a live peer to a cassette. */
export interface EntryPoint {
  name: string;
  /** What makes it compare all that it can, as its user writes it; empty where it does so by itself. */
  request: string;
  /** The live side reaches it over HTTP. */
  isHttp?: boolean;
  /** It stands in for the network of the whole process: nothing else may run meanwhile. */
  isGlobal?: boolean;
  /** What it makes of each kind of difference. Absent: the page tells what it found of each. */
  verdicts?: Record<Row['compared'], Verdict>;
  /** Plays what the cassette `live` has of the live side against the cassette `recorded`. True: the run fails. */
  fails(recorded: string, live: string, asked: Asked): Promise<boolean>;
}

/** How long the live side waits for what a difference keeps from coming: longer than a process takes to start. */
const patience = 3_000;
/** The same where nothing has to start. */
const patienceInMemory = 300;

/** A test of a cassette: all that is not as recorded fails it. */
const TEST: EntryPoint['verdicts'] = { miss: 'default', difference: 'default', unused: 'default', no: 'no' };
/** What replays a cassette that its client may use in part. */
const SESSION: EntryPoint['verdicts'] = { ...TEST, unused: 'request' };
/** A mock server that any client may use. */
const REPLAY: EntryPoint['verdicts'] = { ...SESSION, difference: 'request' };
const ALL: Expectations = { onMiss: 'fail', onUnused: 'fail', onDifference: 'fail' };
const over = (asked: Asked): Expectations => (asked === 'request' ? ALL : {});

/** Says to `server` all that the client of `live` says. */
async function played(live: string, server: TestedServer): Promise<void> {
  await playClient(live, server, { patience: typeof server === 'function' ? patienceInMemory : patience });
}

/** Says to a client's transport all that the client of `live` says, and waits until all of it was sent. */
async function playedThrough(live: string, transport: SdkTransport): Promise<void> {
  const sent: Promise<void>[] = [];
  await played(live, async (own) => {
    own.onmessage = (message) => void sent.push(transport.send(message).catch(() => {}));
    transport.onmessage = (message) => void own.send(message);
    await transport.start();
    await own.start();
  });
  await Promise.all(sent);
  await transport.close();
}

/** A folder's own test, whose fixture is what `mcp` is in vitest. */
async function inTest(use: (mcp: ReturnType<typeof openMcp>) => Promise<void>): Promise<boolean> {
  const mcp = openMcp({ file: 'guarantees.test.js', names: ['a test'] });
  await use(mcp);
  return mcp.finish({ passed: true }).then(
    () => false,
    () => true,
  );
}

/** Ways to hold a client to a cassette. */
export const CLIENT_ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: 'vitest: `mcp.connect`, `mcp.server`',
    request: '',
    verdicts: TEST,
    fails: (recorded, live, asked) =>
      inTest(async (mcp) => {
        const { transport } = await mcp.server(recorded, over(asked));
        await playedThrough(live, transport);
      }),
  },
  {
    name: "vitest: `over: 'http'`",
    isHttp: true,
    request: '',
    verdicts: TEST,
    fails: (recorded, live, asked) =>
      inTest(async (mcp) => {
        const { url } = await mcp.server(recorded, { ...over(asked), over: 'http' });
        await played(live, { url });
      }),
  },
  {
    name: "vitest: `over: 'stdio'`",
    request: '',
    verdicts: TEST,
    fails: (recorded, live, asked) =>
      inTest(async (mcp) => {
        const { command, args } = await mcp.server(recorded, { ...over(asked), over: 'stdio' });
        await played(live, { command, args });
      }),
  },
  {
    name: '`mcp-record/testing`: `mockServer`',
    request: '',
    verdicts: TEST,
    async fails(recorded, live, asked) {
      const mock = await mockServer(recorded, over(asked));
      await playedThrough(live, mock.transport);
      return (await mock.finish()).failed;
    },
  },
  {
    name: '`mcp-record/sdk`: `replayTransport`',
    request: "`onUnused: 'fail'`",
    verdicts: SESSION,
    async fails(recorded, live, asked) {
      const transport = replayTransport(recorded, over(asked));
      await playedThrough(live, transport);
      return (await transport.outcome).failed;
    },
  },
  {
    name: '`openSession`',
    request: "`onUnused: 'fail'`",
    verdicts: SESSION,
    async fails(recorded, live, asked) {
      const session = await openSession({ ...over(asked), cassette: recorded, mode: 'replay' });
      await playedThrough(live, sessionTransport(session));
      return (await session.finish({ passed: true })).failed;
    },
  },
  {
    name: 'MSW',
    isHttp: true,
    isGlobal: true,
    request: '',
    verdicts: TEST,
    async fails(recorded, live, asked) {
      const url = 'http://recorded.test/mcp';
      const mock = mswEndpoint(http, url, recorded, over(asked));
      const server = setupServer(mock.handler);
      server.listen({ onUnhandledRequest: 'error' });
      try {
        await playedThrough(live, overHttp(url)(2) as SdkTransport);
        return mock.finish().failed;
      } finally {
        server.close();
      }
    },
  },
  {
    name: 'nock',
    isHttp: true,
    isGlobal: true,
    request: '',
    verdicts: TEST,
    async fails(recorded, live, asked) {
      const url = 'http://recorded.test/mcp';
      // It stands in for the network from the moment that it is imported.
      const { default: nock } = await import('nock14');
      if (!nock.isActive()) nock.activate();
      const mock = nockEndpoint(nock, url, recorded, over(asked));
      try {
        await playedThrough(live, overHttp(url)(2) as SdkTransport);
        return mock.finish().failed;
      } finally {
        nock.cleanAll();
        nock.restore();
      }
    },
  },
  {
    name: '`replay`',
    request: '`--strict`',
    verdicts: REPLAY,
    async fails(recorded, live, asked) {
      const status = `${recorded}.status`;
      const args = [...CLI, 'replay', ...(asked === 'request' ? ['--strict'] : []), recorded];
      await played(live, {
        command: process.execPath,
        args: ['-e', RUN_AND_KEEP_STATUS, status, ...args],
      });
      const ended = readFileSync(status, 'utf8');
      rmSync(status);
      return ended === '1';
    },
  },
  {
    name: '`replay --http`',
    isHttp: true,
    request: '`--strict`',
    verdicts: REPLAY,
    async fails(recorded, live, asked) {
      const server = await startReplayHttp(recorded, asked === 'request');
      await played(live, { url: server.url });
      return (await server.end()) === 1;
    },
  },
  {
    name: '`run`',
    request: '',
    verdicts: { miss: 'default', difference: 'no', unused: 'no', no: 'no' },
    async fails(recorded, live) {
      const scenario = `${recorded}.scenario.yaml`;
      // An expectation that holds of both, so that only what is not asked for can fail.
      const expect = [{ call: 'tools/call', name: 'work', ends: 'succeeds' }];
      writeFileSync(scenario, JSON.stringify({ cassette: recorded, play: 'server', expect }));
      const client = [
        process.execPath,
        ...CLI,
        'verify',
        '--timeout',
        String(patience),
        live,
        '--',
        '{server}',
      ];
      const { status } = await runProcess([...CLI, 'run', scenario, '--', ...client]);
      return status === 1;
    },
  },
];

/** Runs a program on its own standard streams, and keeps the status that it ends with, in a file. */
const RUN_AND_KEEP_STATUS = `
const [file, ...args] = process.argv.slice(1);
const child = require('node:child_process').spawn(process.execPath, args, { stdio: 'inherit' });
child.on('exit', (status) => { require('node:fs').writeFileSync(file, String(status)); process.exit(status ?? 1); });
`;

const strictly = (asked: Asked) => ({ patience: patienceInMemory, strict: asked === 'request' });
const replayed = (live: string) => ({ command: process.execPath, args: [...CLI, 'replay', live] });

/** Ways to hold a server to a cassette. */
export const SERVER_ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: 'a function: `mcp.client`, `testServer`, `verifyServer`',
    request: '`strict: true`',
    verdicts: SESSION,
    async fails(recorded, live, asked) {
      const outcome = await playClient(recorded, recordedServer(live), strictly(asked));
      return failedSteps(outcome).length > 0;
    },
  },
  {
    name: 'a command: the same, and `verify -- COMMAND`',
    request: '`--strict`',
    verdicts: SESSION,
    async fails(recorded, live, asked) {
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
    request: '`--strict`',
    verdicts: SESSION,
    async fails(recorded, live, asked) {
      const server = await startReplayHttp(live, false);
      const outcome = await playClient(recorded, { url: server.url }, strictly(asked));
      await server.end();
      return failedSteps(outcome).length > 0;
    },
  },
];

/** Ways to hold one cassette to another, and to the protocol: of both sides. */
export const CASSETTE_ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: '`diff`',
    request: '',
    async fails(recorded, live) {
      return diffSessions(loadCassette(recorded), loadCassette(live)).entries.length > 0;
    },
  },
  {
    name: '`lint`',
    request: '',
    async fails(_recorded, live) {
      return lint(loadCassette(live)).some(({ severity }) => severity === 'error');
    },
  },
];

/** What a difference of this row does to a run of `entry`; undefined: the page tells what was found. */
export function verdictOf(row: Row, { verdicts, isHttp }: EntryPoint): Verdict | undefined {
  return isHttp && row.isRefusedOverHttp ? 'no' : verdicts?.[row.compared];
}
