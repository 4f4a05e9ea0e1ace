import type { Area } from '../area.ts';

const MODERN = { since: '2026-07-28' } as const;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const question = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: {} } },
});

export const modern: Area = {
  name: 'Input required, subscriptions',
  requirements: [
    {
      id: 'mrtr/input',
      ...MODERN,
      source: 'Multi Round-Trip Requests',
      says: 'A call is answered with what it needs, and is made again with that and a new id.',
    },
    {
      id: 'mrtr/state',
      ...MODERN,
      source: 'Multi Round-Trip Requests',
      says: '`requestState` comes back as it was given, byte by byte.',
    },
    {
      id: 'mrtr/rounds',
      ...MODERN,
      source: 'Multi Round-Trip Requests',
      says: 'There may be several rounds, and one that needs nothing but time.',
    },
    {
      id: 'listen/acknowledged',
      ...MODERN,
      source: 'Subscriptions',
      says: 'A subscription begins with what of it is honoured.',
    },
    {
      id: 'listen/id',
      ...MODERN,
      source: 'Subscriptions',
      says: 'All that comes of a subscription has the id of its request.',
    },
    { id: 'listen/two', ...MODERN, source: 'Subscriptions', says: 'Two subscriptions are two streams.' },
    {
      id: 'listen/cancelled',
      ...MODERN,
      source: 'Subscriptions',
      says: 'A client ends its subscription as it cancels a call.',
    },
    {
      id: 'listen/ended',
      ...MODERN,
      source: 'Subscriptions',
      says: 'A server ends a subscription with an answer.',
    },
  ],
  conversations: [
    {
      title: 'a call takes three rounds',
      ...MODERN,
      shows: ['mrtr/input', 'mrtr/state', 'mrtr/rounds'],
      lines: (talk) => {
        const call = { name: 'order', arguments: { what: 'tea' } };
        const state = 'eyJhIjoiw7wifQ==.\u{1f511}+/ "\\';
        return [
          talk.ask(1, 'tools/call', call),
          talk.answer(1, {
            resultType: 'input_required',
            inputRequests: { sure: question('Sure?') },
            requestState: state,
          }),
          talk.ask(2, 'tools/call', {
            ...call,
            inputResponses: { sure: { action: 'accept', content: {} } },
            requestState: state,
          }),
          talk.answer(2, { resultType: 'input_required', requestState: 'wait' }),
          talk.ask(3, 'tools/call', { ...call, requestState: 'wait' }),
          talk.answer(3, { content: [{ type: 'text', text: 'tea' }] }),
        ];
      },
    },
    {
      title: 'a resource and a prompt need input',
      ...MODERN,
      shows: ['mrtr/input'],
      lines: (talk) =>
        (
          [
            ['resources/read', { uri: 'x://1' }, { contents: [], ttlMs: 0, cacheScope: 'private' }],
            ['prompts/get', { name: 'p' }, { messages: [] }],
          ] as const
        ).flatMap(([method, params, result], n) => [
          talk.ask(n * 2, method, params),
          talk.answer(n * 2, { resultType: 'input_required', inputRequests: { who: question('Who?') } }),
          talk.ask(n * 2 + 1, method, { ...params, inputResponses: { who: { action: 'decline' } } }),
          talk.answer(n * 2 + 1, result),
        ]),
    },
    {
      title: 'two subscriptions, of which the client ends one and the server the other',
      ...MODERN,
      shows: ['listen/acknowledged', 'listen/id', 'listen/two', 'listen/cancelled', 'listen/ended'],
      lines: (talk) => {
        const of = (id: string | number) => ({ _meta: { [SUBSCRIPTION]: id } });
        const tools = { notifications: { toolsListChanged: true } };
        const updates = { notifications: { resourceSubscriptions: ['x://1'] } };
        const acknowledged = 'notifications/subscriptions/acknowledged';
        return [
          talk.ask('listen:0', 'subscriptions/listen', tools),
          talk.told(acknowledged, { ...tools, ...of('listen:0') }, 'listen:0'),
          talk.ask(1, 'subscriptions/listen', updates),
          talk.told(acknowledged, { ...updates, ...of(1) }, 1),
          talk.told('notifications/tools/list_changed', of('listen:0'), 'listen:0'),
          talk.told('notifications/resources/updated', { uri: 'x://1', ...of(1) }, 1),
          talk.cancel('listen:0'),
          talk.told('notifications/resources/updated', { uri: 'x://1', ...of(1) }, 1),
          talk.answer(1, of(1)),
        ];
      },
    },
  ],
};
