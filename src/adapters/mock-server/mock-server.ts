import { requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { emptyCassette } from '../../mock/empty-cassettes.ts';
import type { ServerDescription } from '../../mock/server-defaults.ts';
import { ServerHandlers } from '../../mock/server-handlers.ts';
import { checkOptions } from '../../modes/check-options.ts';
import { openSession } from '../../modes/open-session.ts';
import { endpointEnded } from '../endpoint/ended-endpoint.ts';
import { sessionTransport } from '../sdk/sdk-transport.ts';
import { endings } from './end-of-scope.ts';
import { listeningMockServer } from './listening-mock-server.ts';
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
import { stdioHandlerServer } from './stdio-handler-server.ts';
import { stdioMockServer } from './stdio-mock-server.ts';

/**
 * Starts a mock server: handlers answer first, then the cassette. Without a cassette (`mockServer({ handlers })`) the server
 * answers `initialize`, `server/discover`, lists and pings itself, in every revision.
 * @throws McpRecordError CASSETTE_MISSING, CASSETTE_UNPLAYABLE, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING, HANDLER_INVALID,
 *   and those of `loadCassette`
 */
export const mockServer: StartMockServer = start as StartMockServer;

async function start(
  given: string | GivenOptions = {},
  more: MemoryOptions | HttpOptions | StdioOptions = {},
): Promise<MemoryServer | HttpMockServer | StdioServer> {
  const all: GivenOptions = typeof given === 'string' ? { ...more, cassette: given } : given;
  const { cassette, serverInfo, capabilities, instructions, ...options } = all;
  checkOptions(options, { areAll: true });
  const known = { serverInfo, capabilities, instructions };
  const described = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const description: ServerDescription | undefined = cassette === undefined ? described : undefined;
  switch (options.over) {
    case 'http':
      return listeningMockServer(cassette, options, description);
    case 'stdio':
      return cassette === undefined || options.handlers !== undefined || !isForProcess(options)
        ? stdioHandlerServer(cassette, options, description)
        : stdioMockServer(cassette, options);
    default:
      return inMemory(cassette, options, description);
  }
}

/** Whether the command line can play a cassette with these options by itself. */
function isForProcess({ repeat }: StdioOptions): boolean {
  return repeat === undefined || repeat === 'last';
}

async function inMemory(
  file: string | undefined,
  { over, handlers: initial = [], ...options }: MemoryOptions,
  description: ServerDescription | undefined,
): Promise<MemoryServer> {
  const clock = options.clock ?? systemClock;
  const cassette = file ?? emptyCassette();
  const name = file ?? '';
  const received = new MessageLog(clock);
  const handlers = new ServerHandlers({ handlers: initial, description, clock });
  let { faults = [] } = options;
  let sessions = 0;
  const begin = async () => {
    const session = await openSession({ onUnused: 'fail', ...options, faults, cassette, mode: 'replay' }, handlers);
    const number = ++sessions;
    const channel = received.tap(session.channel, number);
    return { session, transport: sessionTransport({ channel }) };
  };
  let now = await begin();
  let hasEnded = false;
  const finish = () => {
    hasEnded = true;
    handlers.end();
    return now.session.finish({ passed: true });
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
    request: (method, params) => handlers.ask(method, params),
    ...endings(name, finish),
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
  };
}
