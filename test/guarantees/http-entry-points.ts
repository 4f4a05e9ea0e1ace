import { http } from 'msw2';
import { setupServer } from 'msw2/node';
import { mswEndpoint } from '../../src/adapters/msw.ts';
import { nockEndpoint } from '../../src/adapters/nock.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import type { Expectations } from '../../src/replay/findings/replay-outcome.ts';
import { type Asked, type EntryPoint, type Failure, failureOf } from './entry-point.ts';
import { replayHttpFails } from './processes.ts';
import type { Row, Verdict } from './rows.ts';

type Verdicts = Record<Row['compared'], Verdict>;

/** A test of a cassette: all that is not as recorded fails it. */
export const TEST: Verdicts = {
  miss: 'default',
  difference: 'default',
  unused: 'default',
  no: 'no',
};
/** What replays a cassette that its client may use in part. */
export const SESSION: Verdicts = { ...TEST, unused: 'request' };
/** A mock server that any client may use. */
export const REPLAY: Verdicts = { ...SESSION, difference: 'request' };
export const NOTHING: Verdicts = { miss: 'no', difference: 'no', unused: 'no', no: 'no' };
const ALL: Expectations = { onMiss: 'fail', onUnused: 'fail', onDifference: 'fail' };
export const over = (asked: Asked): Expectations => (asked === 'request' ? ALL : {});

/** A folder's own test, whose fixture is what `mcp` is in vitest. */
export async function inTest(use: (mcp: ReturnType<typeof openMcp>) => Promise<void>): Promise<Failure> {
  const mcp = openMcp({ file: 'guarantees.test.js', names: ['a test'] });
  await use(mcp);
  return mcp.finish({ passed: true }).then(
    () => false,
    (error: Error) => error.message,
  );
}

/** Plays what a cassette has of the client's side to a URL. */
export type PlayTo = (live: string, url: string) => Promise<void>;

let hosts = 0;
/** A URL of its own for each run that does not reach the network. */
const intercepted = () => `http://recorded-${hosts++}.test/mcp`;

/** Begins with the first of those who use it at once, and ends with the last. */
function shared(begin: () => void, end: () => void): () => Disposable {
  let users = 0;
  return () => {
    if (users++ === 0) begin();
    return {
      [Symbol.dispose]() {
        if (--users === 0) end();
      },
    };
  };
}

const msw = setupServer();
const useMsw = shared(
  () => msw.listen({ onUnhandledRequest: 'error' }),
  () => {
    msw.resetHandlers();
    msw.close();
  },
);
let nock: typeof import('nock14') | undefined;
const useNock = shared(
  () => {
    if (!nock?.isActive()) nock?.activate();
  },
  () => {
    nock?.cleanAll();
    nock?.restore();
  },
);

const CONTROL = ['--control', '127.0.0.1:0'];

/** Ways to hold a client to a cassette over HTTP: `byClient` plays it to a server, `byFetch` to what stands in for the network. */
export function httpEntryPoints({
  byClient,
  byFetch,
}: {
  byClient: PlayTo;
  byFetch: PlayTo;
}): Record<'vitest' | 'msw' | 'nock' | 'replay' | 'control', EntryPoint> {
  return {
    vitest: {
      name: "vitest: `over: 'http'`",
      runsIn: 'network',
      request: '',
      verdicts: TEST,
      fails: (recorded, live, asked) =>
        inTest(async (mcp) => {
          const { url } = await mcp.server(recorded, { ...over(asked), over: 'http' });
          await byClient(live, url);
        }),
    },
    msw: {
      name: 'MSW',
      runsIn: 'msw',
      request: '',
      verdicts: TEST,
      async fails(recorded, live, asked) {
        const url = intercepted();
        const mock = mswEndpoint(http, url, recorded, over(asked));
        using _ = useMsw();
        msw.use(mock.handler);
        await byFetch(live, url);
        return failureOf(mock.finish());
      },
    },
    nock: {
      name: 'nock',
      runsIn: 'nock',
      request: '',
      verdicts: TEST,
      async fails(recorded, live, asked) {
        const url = intercepted();
        // It stands in for the network from the moment that it is imported.
        nock ??= (await import('nock14')).default;
        using _ = useNock();
        const mock = nockEndpoint(nock, url, recorded, over(asked));
        await byFetch(live, url);
        return failureOf(mock.finish());
      },
    },
    replay: {
      name: '`replay --http`',
      runsIn: 'network',
      request: '`--strict`',
      difference: '`--on-difference`',
      verdicts: REPLAY,
      fails: (recorded, live, asked) => replayHttpFails([recorded], [live], asked, byClient),
      anyFails: (recorded, live, asked) => replayHttpFails([recorded], live, asked, byClient),
    },
    control: {
      name: '`replay --http --control`',
      runsIn: 'network',
      request: '`--strict`',
      difference: '`--on-difference`',
      verdicts: REPLAY,
      fails: (recorded, live, asked) => replayHttpFails([...CONTROL, recorded], [live], asked, byClient),
      anyFails: (recorded, live, asked) => replayHttpFails([...CONTROL, recorded], live, asked, byClient),
    },
  };
}
