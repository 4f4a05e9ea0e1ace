import { request } from '../../src/adapters/mock.ts';
import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import { replayTransport, type SdkTransport, sessionTransport } from '../../src/adapters/sdk.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { overHttp } from '../e2e/adapters/over-http.ts';
import { type EntryPoint, failureOf } from './entry-point.ts';
import { playedOverHttp } from './http-client.ts';
import { httpEntryPoints, inTest, NOTHING, over, REPLAY, SESSION, TEST } from './http-entry-points.ts';
import { played, playedThrough, playedToEnd } from './plays.ts';
import { CLI, runFails, strictness, sweepFails } from './processes.ts';

const HTTP_ENTRIES = httpEntryPoints({
  byClient: (live, url) => played(live, { url }),
  byFetch: (live, url) => playedThrough(live, overHttp(url)(2) as SdkTransport),
});

/** Ways to hold a client to a cassette. */
export const CLIENT_ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: 'vitest: `mcp.connect`, `mcp.server`',
    runsIn: 'memory',
    request: '',
    verdicts: TEST,
    fails: (recorded, live, asked) =>
      inTest(async (mcp) => {
        const { transport } = await mcp.server(recorded, over(asked));
        await playedThrough(live, transport);
      }),
  },
  HTTP_ENTRIES.vitest,
  {
    name: "vitest: `over: 'stdio'`",
    runsIn: 'processes',
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
    runsIn: 'memory',
    request: '',
    verdicts: TEST,
    async fails(recorded, live, asked) {
      const mock = await mockServer(recorded, over(asked));
      await playedThrough(live, mock.transport);
      return failureOf(await mock.finish());
    },
  },
  {
    name: '`mcp-record/mock`: `mockServer` with `handlers`',
    runsIn: 'memory',
    request: '',
    verdicts: TEST,
    async fails(recorded, live, asked) {
      // It stands before the cassette, and nothing asks for it.
      const handlers = [request('x/never', () => ({}))];
      const mock = await mockServer(recorded, { ...over(asked), handlers });
      await playedThrough(live, mock.transport);
      return failureOf(await mock.finish());
    },
  },
  {
    name: '`mcp-record/sdk`: `replayTransport`',
    runsIn: 'memory',
    request: "`onUnused: 'fail'`",
    verdicts: SESSION,
    async fails(recorded, live, asked) {
      const transport = replayTransport(recorded, over(asked));
      await playedThrough(live, transport);
      return failureOf(await transport.outcome);
    },
  },
  {
    name: '`openSession`',
    runsIn: 'memory',
    request: "`onUnused: 'fail'`",
    verdicts: SESSION,
    async fails(recorded, live, asked) {
      const session = await openSession({ ...over(asked), cassette: recorded, mode: 'replay' });
      await playedThrough(live, sessionTransport(session));
      return failureOf(await session.finish({ passed: true }));
    },
  },
  HTTP_ENTRIES.msw,
  HTTP_ENTRIES.nock,
  {
    name: '`replay`',
    runsIn: 'processes',
    request: '`--strict`',
    difference: '`--on-difference`',
    verdicts: REPLAY,
    async fails(recorded, live, asked) {
      const args = [...CLI, 'replay', ...strictness(asked), recorded];
      return (await playedToEnd(live, { command: process.execPath, args })) === 1;
    },
  },
  HTTP_ENTRIES.replay,
  HTTP_ENTRIES.control,
  {
    name: '`run`',
    runsIn: 'processes',
    request: '',
    verdicts: { ...NOTHING, miss: 'default', unused: 'default' },
    fails: (recorded, live) => runFails(recorded, [live]),
    anyFails: runFails,
  },
  {
    name: '`sweep`',
    runsIn: 'processes',
    request: '',
    verdicts: NOTHING,
    fails: (recorded, live) => sweepFails(recorded, [live]),
    anyFails: sweepFails,
  },
];

/** Ways to hold to a cassette what a client does over HTTP beside what it says. */
export const HTTP_CLIENT_ENTRY_POINTS: readonly EntryPoint[] = Object.values(
  httpEntryPoints({ byClient: playedOverHttp, byFetch: playedOverHttp }),
);
