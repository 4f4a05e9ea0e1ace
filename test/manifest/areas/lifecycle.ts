import type { Area } from '../area.ts';
import { ENVELOPE } from '../wire/line.ts';

const LEGACY = { until: '2025-11-25' } as const;
const MODERN = { since: '2026-07-28' } as const;
const REVISION = 'io.modelcontextprotocol/protocolVersion';

/** Before the answer to `initialize` there is no session to say anything in. */
const NO_SESSION = 'no session yet';

export const lifecycle: Area = {
  name: 'Lifecycle',
  requirements: [
    {
      id: 'lifecycle/initialize',
      ...LEGACY,
      source: 'Lifecycle, Initialization',
      says: 'A session begins with `initialize`, its answer, and `notifications/initialized`.',
    },
    {
      id: 'lifecycle/negotiation',
      ...LEGACY,
      source: 'Lifecycle, Version Negotiation',
      says: 'The server may answer with another revision than the client proposed.',
    },
    {
      id: 'lifecycle/unsupported',
      ...LEGACY,
      source: 'Lifecycle, Error Handling',
      says: 'The server may refuse a revision with -32602 and those that it supports.',
    },
    {
      id: 'lifecycle/instructions',
      source: 'Lifecycle, Initialization',
      says: 'The server may tell how it is to be used, in `instructions`.',
    },
    {
      id: 'lifecycle/early-ping',
      not: { 'Streamable HTTP': NO_SESSION, 'HTTP+SSE': 'not known to be it yet' },
      ...LEGACY,
      source: 'Lifecycle, Initialization',
      says: 'Before the session has begun, either side may ping.',
    },
    {
      id: 'lifecycle/early-log',
      not: { 'Streamable HTTP': NO_SESSION },
      ...LEGACY,
      source: 'Lifecycle, Initialization',
      says: 'Before it is told that the client is ready, the server may ping and log.',
    },
    {
      id: 'lifecycle/ping',
      ...LEGACY,
      source: 'Ping',
      says: 'Either side pings at any time, within a call too, and is answered at once.',
    },
    {
      id: 'lifecycle/discover',
      ...MODERN,
      source: 'Discovery',
      says: '`server/discover` is answered with revisions, capabilities and how long that holds.',
    },
    {
      id: 'lifecycle/no-handshake',
      ...MODERN,
      source: 'Versioning',
      says: 'The first request may be any: each says by itself what it needs said.',
    },
    {
      id: 'lifecycle/refused-version',
      ...MODERN,
      source: 'Versioning, -32022',
      says: 'A revision that the server lacks is refused with -32022 and those it has; the client comes again with one of them.',
    },
    {
      id: 'lifecycle/missing-capability',
      ...MODERN,
      source: 'Capabilities, -32021',
      says: 'A request that needs more of the client than it declared is refused with -32021.',
    },
  ],
  conversations: [
    {
      title: 'two sides agree, with everything that they can do',
      ...LEGACY,
      shows: ['lifecycle/initialize', 'lifecycle/instructions'],
      lines: (talk) => {
        const { revision: protocolVersion } = talk;
        const clientInfo = { name: 'client', title: 'Client', version: '1.0.0' };
        const serverInfo = { name: 'server', title: 'Server', version: '2.0.0' };
        const client = { roots: { listChanged: true }, sampling: {}, experimental: { x: {} } };
        const server = {
          tools: { listChanged: true },
          resources: { subscribe: true },
          prompts: {},
          logging: {},
        };
        return [
          talk.ask(0, 'initialize', { protocolVersion, capabilities: client, clientInfo }),
          talk.answer(0, { protocolVersion, capabilities: server, serverInfo, instructions: 'Ask\nnicely.' }),
          talk.tell('notifications/initialized'),
          talk.ask(1, 'tools/list'),
          talk.answer(1, { tools: [] }),
        ];
      },
    },
    {
      title: 'the server knows only an older revision',
      ...LEGACY,
      shows: ['lifecycle/negotiation'],
      lines: (talk) => {
        const { revision } = talk;
        const info = { name: 'peer', version: '1.0.0' };
        return [
          talk.ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info }),
          talk.answer(0, { protocolVersion: revision, capabilities: {}, serverInfo: info }),
          talk.tell('notifications/initialized'),
          talk.ask(1, 'tools/list'),
          talk.answer(1, { tools: [] }),
        ];
      },
    },
    {
      title: 'the server wants no part of a revision',
      ...LEGACY,
      shows: ['lifecycle/unsupported'],
      lines: (talk) => [
        talk.ask(0, 'initialize', {
          protocolVersion: '1999-01-01',
          capabilities: {},
          clientInfo: { name: 'c', version: '1' },
        }),
        talk.fail(0, -32602, 'Unsupported protocol version', {
          supported: [talk.revision],
          requested: '1999-01-01',
        }),
      ],
    },
    {
      title: 'a client pings before it introduces itself',
      ...LEGACY,
      on: ['stdio'],
      shows: ['lifecycle/early-ping'],
      lines: (talk) => [
        talk.ask('early', 'ping'),
        talk.answer('early', {}),
        ...talk.opening(),
        talk.ask(1, 'tools/list'),
        talk.answer(1, { tools: [] }),
      ],
    },
    {
      title: 'a server pings and logs before it introduces itself',
      ...LEGACY,
      on: ['stdio', 'HTTP+SSE'],
      shows: ['lifecycle/early-log'],
      lines: (talk) => {
        const [initialize, answer, initialized] = talk.opening({ server: { logging: {} } });
        return [
          initialize!,
          talk.asked('server', 'ping'),
          talk.reply('server', {}),
          talk.told('notifications/message', { level: 'info', data: 'starting' }),
          answer!,
          initialized!,
          talk.ask(1, 'tools/list'),
          talk.answer(1, { tools: [] }),
        ];
      },
    },
    {
      title: 'both sides ping, alone and within a call',
      ...LEGACY,
      shows: ['lifecycle/ping'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'ping'),
        talk.answer(1, {}),
        talk.ask(2, 'tools/call', { name: 'slow' }),
        talk.asked(1, 'ping', undefined, 2),
        talk.reply(1, {}),
        talk.ask(3, 'ping'),
        talk.answer(3, {}),
        talk.answer(2, { content: [] }),
      ],
    },
    {
      title: 'a client asks what a server can do, and uses it',
      ...MODERN,
      shows: ['lifecycle/discover', 'lifecycle/instructions'],
      lines: (talk) => [
        talk.ask('probe', 'server/discover'),
        talk.answer('probe', {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          instructions: 'Ask nicely.',
          ttlMs: 0,
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'server', version: '1.0.0' } },
        }),
        talk.ask(0, 'tools/call', { name: 'echo' }),
        talk.answer(0, { content: [] }),
      ],
    },
    {
      title: 'a client begins with a call',
      ...MODERN,
      shows: ['lifecycle/no-handshake'],
      lines: (talk) => [talk.ask(0, 'tools/call', { name: 'echo' }), talk.answer(0, { content: [] })],
    },
    {
      title: 'a client comes with a revision of the future, and then with this one',
      ...MODERN,
      shows: ['lifecycle/refused-version'],
      lines: (talk) => [
        talk.ask(0, 'server/discover', { _meta: { ...ENVELOPE, [REVISION]: '2030-01-01' } }),
        talk.fail(0, -32022, 'Unsupported protocol version', {
          supported: ['2026-07-28'],
          requested: '2030-01-01',
        }),
        talk.ask(1, 'tools/call', { name: 'echo' }),
        talk.answer(1, { content: [] }),
      ],
    },
    {
      title: 'a call needs sampling, which the client did not declare',
      ...MODERN,
      shows: ['lifecycle/missing-capability'],
      lines: (talk) => [
        talk.ask(0, 'tools/call', { name: 'summarize' }),
        talk.fail(0, -32021, 'Missing required client capability', {
          requiredCapabilities: { sampling: {} },
        }),
      ],
    },
  ],
};
