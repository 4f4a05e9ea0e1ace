import { requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { checkOptions } from '../../modes/check-options.ts';
import { openSession } from '../../modes/open-session.ts';
import { endpointEnded } from '../endpoint/ended-endpoint.ts';
import { sessionTransport } from '../sdk/sdk-transport.ts';
import { listeningMockServer } from './listening-mock-server.ts';
import type {
  HttpMockServer,
  HttpOptions,
  MemoryOptions,
  MemoryServer,
  StdioOptions,
  StdioServer,
} from './mock-server-types.ts';
import { stdioMockServer } from './stdio-mock-server.ts';

/**
 * Starts the recorded server of a cassette, as asked.
 * @throws McpRecordError CASSETTE_MISSING, CASSETTE_UNPLAYABLE, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING, and those of `loadCassette`
 */
export function mockServer(cassette: string, options?: MemoryOptions): Promise<MemoryServer>;
export function mockServer(cassette: string, options: HttpOptions): Promise<HttpMockServer>;
export function mockServer(cassette: string, options: StdioOptions): Promise<StdioServer>;
export async function mockServer(
  cassette: string,
  options: MemoryOptions | HttpOptions | StdioOptions = {},
): Promise<MemoryServer | HttpMockServer | StdioServer> {
  checkOptions(options);
  switch (options.over) {
    case 'http':
      return listeningMockServer(cassette, options);
    case 'stdio':
      return stdioMockServer(cassette, options);
    default:
      return inMemory(cassette, options);
  }
}

async function inMemory(cassette: string, { over, ...options }: MemoryOptions): Promise<MemoryServer> {
  const received = new MessageLog(options.clock ?? systemClock);
  let { faults = [] } = options;
  let sessions = 0;
  const begin = async () => {
    const session = await openSession({ onUnused: 'fail', ...options, faults, cassette, mode: 'replay' });
    const number = ++sessions;
    const channel = received.tap(session.channel, number);
    return { session, transport: sessionTransport({ channel }) };
  };
  let now = await begin();
  let hasEnded = false;
  const finish = () => {
    hasEnded = true;
    return now.session.finish({ passed: true });
  };
  return {
    cassette,
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
    finish,
    async reset() {
      if (hasEnded) throw endpointEnded(cassette, 'reset()');
      const { session, transport } = now;
      await transport.close();
      const outcome = await session.finish({ passed: true });
      received.journal.reset();
      sessions = 0;
      now = await begin();
      return outcome;
    },
    [Symbol.asyncDispose]: async () => void (await finish()),
  };
}
