import type { CassetteSource } from '../../cassette/cassette.ts';
import { cassetteOf, pathOf } from '../../cassette/read/load-cassette.ts';
import { requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { endpointEnded } from '../../mock/endpoint/refuse-after-end.ts';
import { emptyCassette } from '../../mock/server/empty-cassettes.ts';
import { ServerHandlers } from '../../mock/server/handlers-and-sessions.ts';
import type { ServerDescription } from '../../mock/server/server-fallback-answers.ts';
import { openSession } from '../../modes/open-session.ts';
import { checkSecondOptions, validateApiOptions } from '../../modes/validate-api-options.ts';
import { isCassette } from '../endpoint/handlers-only-endpoint.ts';
import { sessionTransport } from '../sdk/channel-transport.ts';
import { warnOnce } from '../test/print-test-notes.ts';
import { bridgedStdioServer } from './bridged-stdio-server.ts';
import { mockServerBehindProxy } from './mock-server-behind-proxy.ts';
import type {
  GivenOptions,
  HttpMockServer,
  HttpOptions,
  MemoryOptions,
  MemoryServer,
  StartMockServer,
  StdioOptions,
  StdioServer,
} from './mock-server-types.ts';
import { finishOrDispose } from './raise-unread-failures.ts';
import { stdioCassetteServer } from './stdio-cassette-server.ts';

/**
 * Starts a mock server: handlers answer first, then the cassette. Without a cassette (`mockServer({ handlers })`) the
 * server answers `initialize`, `server/discover`, lists and pings itself, in every revision.
 * @throws McpRecordError CASSETTE_MISSING, CASSETTE_UNPLAYABLE, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING,
 * HANDLER_INVALID, OPTION_BAD_VALUE, MOCK_AUTH_BAD, and those of `loadCassette`
 */
export const mockServer: StartMockServer = start as StartMockServer;

async function start(
  given: CassetteSource | GivenOptions = {},
  more: MemoryOptions | HttpOptions | StdioOptions = {},
): Promise<MemoryServer | HttpMockServer | StdioServer> {
  checkSecondOptions(isCassette(given), more);
  const all: GivenOptions = isCassette(given) ? { ...more, cassette: given } : given;
  const { cassette, serverInfo, capabilities, instructions, ...options } = all;
  validateApiOptions(options, options.over === 'stdio' ? 'mock server over stdio' : 'mock server', { areAll: true });
  const { auth = false, responseMode, ...others } = options as HttpOptions;
  if (options.over !== 'http' && auth !== false) throw withoutHttp('auth: true', 'authorization exists');
  if (options.over !== 'http' && responseMode !== undefined)
    throw withoutHttp("responseMode: 'sse'", 'event streams exist');
  const known = { serverInfo, capabilities, instructions };
  const described = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const description: ServerDescription | undefined = cassette === undefined ? described : undefined;
  switch (options.over) {
    case 'http':
      return mockServerBehindProxy(cassette, options, description);
    case 'stdio':
      return typeof cassette === 'string' && options.handlers === undefined && isForProcess(options)
        ? stdioCassetteServer(cassette, options)
        : bridgedStdioServer(cassette, others as unknown as StdioOptions, description);
    default:
      return inMemory(cassette, others as unknown as MemoryOptions, description);
  }
}

/** Returns the error for an option of servers over HTTP, such as `auth: true`, at another server. */
function withoutHttp(option: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: `Cannot use the option ${option.split(':', 1)[0]}`,
    why: `${why} over HTTP only`,
    next: `Serve over HTTP: mockServer(cassette, { over: 'http', ${option} }).`,
  });
}

/**
 * Reports whether the command line can play a cassette with these options by itself. Regular expressions and functions
 * stay in this process.
 */
function isForProcess({ repeat, ignore = [] }: StdioOptions): boolean {
  return (repeat === undefined || repeat === 'last') && ignore.every((one) => typeof one === 'string');
}

async function inMemory(
  source: CassetteSource | undefined,
  { over, handlers: initial = [], ...options }: MemoryOptions,
  description: ServerDescription | undefined,
): Promise<MemoryServer> {
  const clock = options.clock ?? systemClock;
  const cassette = source ?? emptyCassette();
  const name = source === undefined ? '' : pathOf(source);
  const received = new MessageLog(clock);
  const handlers = new ServerHandlers({
    handlers: initial,
    description,
    recorded: () => cassetteOf(cassette).events,
    clock,
  });
  let { faults = [] } = options;
  let sessions = 0;
  const begin = async () => {
    const replayed = { onUnused: 'fail', ...options, faults, cassette, mode: 'replay' } as const;
    const session = await openSession(replayed, { interceptor: handlers });
    const number = ++sessions;
    const channel = received.tap(session.channel, number);
    return { session, transport: sessionTransport({ channel }) };
  };
  let now = await begin();
  warnOnce(now.session.warnings);
  let hasEnded = false;
  const finish = async () => {
    hasEnded = true;
    handlers.end();
    const outcome = await now.session.finish({ passed: true });
    // A client that goes on would get answers that no test checks.
    await now.transport.close();
    return outcome;
  };
  return {
    cassette: name,
    get transport() {
      return now.transport;
    },
    get session() {
      return now.session;
    },
    misbehave(rules) {
      now.session.misbehave(rules);
      faults = rules;
    },
    get fired() {
      return now.session.fired;
    },
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    use: (...more) => handlers.use(more),
    resetHandlers: () => handlers.resetHandlers(),
    notify: (method, params) => handlers.notify(method, params),
    request: (method, params, options) => handlers.ask(method, params, options),
    ...finishOrDispose({
      cassette: name,
      journal: received.journal,
      finish,
      fired: () => now.session.fired,
      async reset() {
        if (hasEnded) throw endpointEnded(name, 'reset()');
        const { session, transport } = now;
        await transport.close();
        handlers.end();
        const outcome = await session.finish({ passed: true });
        handlers.restart();
        received.journal.reset();
        sessions = 0;
        now = await begin();
        return outcome;
      },
    }),
  };
}
