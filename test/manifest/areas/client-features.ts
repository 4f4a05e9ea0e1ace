import type { Area } from '../area.ts';

const LEGACY = { until: '2025-11-25' } as const;
const done = { content: [] };
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

export const clientFeatures: Area = {
  name: 'Roots, sampling, elicitation',
  requirements: [
    {
      id: 'roots/list',
      ...LEGACY,
      source: 'Roots',
      says: 'The server asks for roots, within a call or of itself.',
    },
    {
      id: 'roots/changed',
      ...LEGACY,
      source: 'Roots, List Changes',
      says: 'The client says that they have changed; the server asks again.',
    },
    {
      id: 'roots/unsupported',
      ...LEGACY,
      source: 'Roots, Error Handling',
      says: 'A client without roots refuses with -32601.',
    },
    {
      id: 'sampling/create',
      ...LEGACY,
      source: 'Sampling',
      says: 'The server asks for a message, and waits for it.',
    },
    {
      id: 'sampling/rejected',
      ...LEGACY,
      source: 'Sampling, Error Handling',
      says: 'The user may refuse: -1.',
    },
    {
      id: 'sampling/tools',
      since: '2025-11-25',
      until: '2025-11-25',
      source: 'Sampling, Tools',
      says: 'A sample may use tools, in several rounds.',
    },
    {
      id: 'elicitation/form',
      since: '2025-06-18',
      until: '2025-11-25',
      source: 'Elicitation',
      says: 'The user is asked, and accepts, declines, or cancels.',
    },
    {
      id: 'elicitation/url',
      since: '2025-11-25',
      until: '2025-11-25',
      source: 'Elicitation, URL Mode',
      says: 'The user is sent to a URL; the server tells when that is done.',
    },
    {
      id: 'elicitation/required',
      since: '2025-11-25',
      until: '2025-11-25',
      source: 'Elicitation, -32042',
      says: 'A call is refused until the user was elsewhere, and is made again.',
    },
    {
      id: 'server-requests/nested',
      ...LEGACY,
      source: 'Base Protocol',
      says: 'A call waits for what the server asked meanwhile, several times if need be.',
    },
  ],
  conversations: [
    {
      title: 'roots are asked for, changed, and asked for again',
      ...LEGACY,
      shows: ['roots/list', 'roots/changed'],
      lines: (talk) => [
        ...talk.opening({ client: { roots: { listChanged: true } } }),
        talk.asked(0, 'roots/list'),
        talk.reply(0, { roots: [{ uri: 'file:///a', name: 'a' }] }),
        talk.tell('notifications/roots/list_changed'),
        talk.asked(1, 'roots/list'),
        talk.reply(1, { roots: [] }),
      ],
    },
    {
      title: 'a client has no roots',
      ...LEGACY,
      shows: ['roots/unsupported'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'roots' }),
        talk.asked(0, 'roots/list', undefined, 1),
        talk.decline(0, -32601, 'Roots not supported'),
        talk.answer(1, done),
      ],
    },
    {
      title: 'two samples are asked for within a call, of which the user refuses one',
      ...LEGACY,
      shows: ['sampling/create', 'sampling/rejected', 'server-requests/nested'],
      lines: (talk) => {
        const message = (text: string) => ({
          messages: [{ role: 'user', content: { type: 'text', text } }],
          maxTokens: 100,
        });
        return [
          ...talk.opening({ client: { sampling: {} } }),
          talk.ask(1, 'tools/call', { name: 'ask' }),
          talk.asked('s1', 'sampling/createMessage', { ...message('one'), temperature: 0.1, stopSequences: ['.'] }, 1),
          talk.reply('s1', {
            role: 'assistant',
            content: { type: 'text', text: 'yes' },
            model: 'm',
            stopReason: 'endTurn',
          }),
          talk.asked('s2', 'sampling/createMessage', message('two'), 1),
          talk.decline('s2', -1, 'User rejected sampling request'),
          talk.answer(1, done),
        ];
      },
    },
    {
      title: 'a sample uses a tool',
      since: '2025-11-25',
      until: '2025-11-25',
      shows: ['sampling/tools'],
      lines: (talk) => {
        const ask = { role: 'user', content: { type: 'text', text: 'weather?' } };
        const use = {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'use-1', name: 'weather', input: { city: 'Bern' } }],
        };
        const got = {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: 'use-1', content: [{ type: 'text', text: 'rain' }] }],
        };
        const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
        return [
          ...talk.opening({ client: { sampling: { tools: {} } } }),
          talk.ask(1, 'tools/call', { name: 'plan' }),
          talk.asked(1, 'sampling/createMessage', { messages: [ask], maxTokens: 9, tools }, 1),
          talk.reply(1, { ...use, model: 'm', stopReason: 'toolUse' }),
          talk.asked(2, 'sampling/createMessage', { messages: [ask, use, got], maxTokens: 9, tools }, 1),
          talk.reply(2, { role: 'assistant', content: { type: 'text', text: 'rain' }, model: 'm' }),
          talk.answer(1, done),
        ];
      },
    },
    {
      title: 'the user is asked three times',
      since: '2025-06-18',
      until: '2025-11-25',
      shows: ['elicitation/form'],
      lines: (talk) => {
        const elicit = (id: number, message: string) =>
          talk.asked(id, 'elicitation/create', { message, requestedSchema: FORM }, 1);
        return [
          ...talk.opening({ client: { elicitation: {} } }),
          talk.ask(1, 'tools/call', { name: 'ask' }),
          elicit(0, 'first'),
          talk.reply(0, { action: 'accept', content: { name: 'Ada' } }),
          elicit(1, 'second'),
          talk.reply(1, { action: 'decline' }),
          elicit(2, 'third'),
          talk.reply(2, { action: 'cancel' }),
          talk.answer(1, done),
        ];
      },
    },
    {
      title: 'the user is sent to a URL, and comes back',
      since: '2025-11-25',
      until: '2025-11-25',
      shows: ['elicitation/url'],
      lines: (talk) => [
        ...talk.opening({ client: { elicitation: { url: {} } } }),
        talk.ask(1, 'tools/call', { name: 'pay' }),
        talk.asked(
          0,
          'elicitation/create',
          { mode: 'url', message: 'Pay', url: 'https://pay.example/e-1', elicitationId: 'e-1' },
          1,
        ),
        talk.reply(0, { action: 'accept' }),
        talk.told('notifications/elicitation/complete', { elicitationId: 'e-1' }, 1),
        talk.answer(1, done),
      ],
    },
    {
      title: 'a call is refused until the user was elsewhere',
      since: '2025-11-25',
      until: '2025-11-25',
      shows: ['elicitation/required'],
      lines: (talk) => [
        ...talk.opening({ client: { elicitation: { url: {} } } }),
        talk.ask(1, 'tools/call', { name: 'pay' }),
        talk.fail(1, -32042, 'URL elicitation required', {
          elicitations: [{ mode: 'url', message: 'Pay', url: 'https://pay.example/e-2', elicitationId: 'e-2' }],
        }),
        talk.told('notifications/elicitation/complete', { elicitationId: 'e-2' }),
        talk.ask(2, 'tools/call', { name: 'pay' }),
        talk.answer(2, done),
      ],
    },
  ],
};
