import type { Area } from '../area.ts';

const LEGACY = { until: '2025-11-25' } as const;
const MODERN = { since: '2026-07-28' } as const;
/** What results that may be kept say, from 2026-07-28 on. */
const KEEP = { ttlMs: 0, cacheScope: 'private' };
const PNG = 'iVBORw0KGgo=';

export const serverFeatures: Area = {
  name: 'Tools, resources, prompts, completion',
  requirements: [
    {
      id: 'lists/pages',
      source: 'Pagination',
      says: 'Lists come in pages: the cursor of one asks for the next; the last has none.',
    },
    { id: 'lists/empty-cursor', source: 'Pagination', says: 'The empty string is a cursor.' },
    {
      id: 'lists/bad-cursor',
      source: 'Pagination, Error Handling',
      says: 'An unknown cursor is refused with -32602.',
    },
    {
      id: 'lists/changed',
      ...LEGACY,
      source: 'Tools, Prompts, Resources: List Changed',
      says: 'The server says unasked that a list has changed; asked again, it says another.',
    },
    {
      id: 'caching/fields',
      ...MODERN,
      source: 'Caching',
      says: 'Lists and what is read say how long and by whom they may be kept.',
    },
    {
      id: 'tools/content',
      source: 'Tools, Tool Result',
      says: 'A result has text, images, embedded resources, in order; audio from 2025-03-26, links from 2025-06-18.',
    },
    {
      id: 'tools/structured',
      since: '2025-06-18',
      source: 'Tools, Structured Content',
      says: 'A result has structured content beside its text.',
    },
    {
      id: 'tools/any-structured',
      ...MODERN,
      source: 'Tools, Structured Content',
      says: 'Structured content is any JSON value.',
    },
    {
      id: 'tools/failed',
      source: 'Tools, Error Handling',
      says: 'What a tool fails at is a result with `isError`; a tool that is none is an error.',
    },
    {
      id: 'tools/no-arguments',
      source: 'Tools, Calling Tools',
      says: 'Arguments may be absent, which is the same as none.',
    },
    { id: 'resources/read', source: 'Resources', says: 'Resources are text or base64, several at once.' },
    { id: 'resources/templates', source: 'Resources, Templates', says: 'Templates are listed.' },
    {
      id: 'resources/missing',
      source: 'Resources, Error Handling',
      says: 'What is not there is -32002, from 2026-07-28 on -32602.',
    },
    {
      id: 'resources/subscribe',
      ...LEGACY,
      source: 'Resources, Subscriptions',
      says: 'A client subscribes, is told of updates, and unsubscribes.',
    },
    { id: 'prompts/get', source: 'Prompts', says: 'Prompts are listed with their arguments, and got.' },
    {
      id: 'completion/complete',
      source: 'Completion',
      says: 'Arguments of prompts and of templates are completed.',
    },
    {
      id: 'completion/context',
      since: '2025-06-18',
      source: 'Completion',
      says: 'Other arguments are given as context.',
    },
  ],
  conversations: [
    {
      title: 'lists come in pages',
      shows: ['lists/pages', 'lists/empty-cursor', 'resources/templates', 'caching/fields'],
      lines: (talk) => {
        const keep = talk.modern ? KEEP : {};
        const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });
        return [
          ...talk.opening({ server: { tools: {}, resources: {} } }),
          talk.ask(1, 'tools/list'),
          talk.answer(1, { tools: [tool('a')], nextCursor: '', ...keep }),
          talk.ask(2, 'tools/list', { cursor: '' }),
          talk.answer(2, { tools: [tool('b')], nextCursor: 'three', ...keep }),
          talk.ask(3, 'tools/list', { cursor: 'three' }),
          talk.answer(3, { tools: [tool('c')], ...keep }),
          talk.ask(4, 'resources/templates/list'),
          talk.answer(4, { resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'x' }], ...keep }),
        ];
      },
    },
    {
      title: 'a cursor is unknown',
      shows: ['lists/bad-cursor'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'resources/list', { cursor: 'stale' }),
        talk.fail(1, -32602, 'Invalid cursor'),
      ],
    },
    {
      title: 'lists change, and are asked for again',
      ...LEGACY,
      shows: ['lists/changed'],
      lines: (talk) => [
        ...talk.opening({ server: { tools: { listChanged: true }, prompts: { listChanged: true } } }),
        talk.ask(1, 'tools/list'),
        talk.answer(1, { tools: [] }),
        talk.told('notifications/tools/list_changed'),
        talk.ask(2, 'tools/list'),
        talk.answer(2, { tools: [{ name: 'new', inputSchema: { type: 'object' } }] }),
        talk.told('notifications/prompts/list_changed'),
        talk.ask(3, 'prompts/list'),
        talk.answer(3, { prompts: [] }),
      ],
    },
    {
      title: 'a result has content of every kind',
      shows: ['tools/content', 'tools/structured', 'tools/no-arguments'],
      lines: (talk) => {
        const since = (revision: string, ...content: object[]) => (talk.revision >= revision ? content : []);
        return [
          ...talk.opening({ server: { tools: {} } }),
          talk.ask(1, 'tools/call', { name: 'everything' }),
          talk.answer(1, {
            content: [
              { type: 'text', text: '{"n":1}', annotations: { audience: ['user'], priority: 0.5 } },
              { type: 'image', data: PNG, mimeType: 'image/png' },
              { type: 'resource', resource: { uri: 'x://1', mimeType: 'text/plain', text: 'one' } },
              ...since('2025-03-26', { type: 'audio', data: PNG, mimeType: 'audio/wav' }),
              ...since('2025-06-18', { type: 'resource_link', uri: 'x://2', name: 'two' }),
            ],
            ...(talk.revision >= '2025-06-18' && { structuredContent: { n: 1 } }),
          }),
          talk.ask(2, 'tools/call', { name: 'everything', arguments: {} }),
          talk.answer(2, { content: [] }),
        ];
      },
    },
    {
      title: 'structured content is no object',
      ...MODERN,
      shows: ['tools/any-structured'],
      lines: (talk) =>
        [[1, [2]], 'text', 7, false, null].flatMap((structuredContent, id) => [
          talk.ask(id, 'tools/call', { name: 'any', arguments: { id } }),
          talk.answer(id, { content: [], structuredContent }),
        ]),
    },
    {
      title: 'a tool fails, and one is none',
      shows: ['tools/failed'],
      lines: (talk) => [
        ...talk.opening({ server: { tools: {} } }),
        talk.ask(1, 'tools/call', { name: 'divide', arguments: { by: 0 } }),
        talk.answer(1, { content: [{ type: 'text', text: 'by zero' }], isError: true }),
        talk.ask(2, 'tools/call', { name: 'none', arguments: {} }),
        talk.fail(2, -32602, 'Unknown tool: none'),
      ],
    },
    {
      title: 'resources are read, and one is not there',
      shows: ['resources/read', 'resources/missing', 'caching/fields'],
      lines: (talk) => {
        const keep = talk.modern ? { ttlMs: 60_000, cacheScope: 'public' } : {};
        return [
          ...talk.opening({ server: { resources: {} } }),
          talk.ask(1, 'resources/list'),
          talk.answer(1, { resources: [{ uri: 'x://1', name: 'one', size: 3 }], ...keep }),
          talk.ask(2, 'resources/read', { uri: 'x://1' }),
          talk.answer(2, {
            contents: [
              { uri: 'x://1', mimeType: 'text/plain', text: 'one\n' },
              { uri: 'x://1/image', mimeType: 'image/png', blob: PNG },
            ],
            ...keep,
          }),
          talk.ask(3, 'resources/read', { uri: 'x://none' }),
          talk.fail(3, talk.modern ? -32602 : -32002, 'Resource not found', { uri: 'x://none' }),
        ];
      },
    },
    {
      title: 'a resource is subscribed to, and changes',
      ...LEGACY,
      shows: ['resources/subscribe'],
      lines: (talk) => [
        ...talk.opening({ server: { resources: { subscribe: true } } }),
        talk.ask(1, 'resources/subscribe', { uri: 'x://1' }),
        talk.answer(1, {}),
        talk.told('notifications/resources/updated', { uri: 'x://1/part' }),
        talk.told('notifications/resources/updated', { uri: 'x://1' }),
        talk.ask(2, 'resources/unsubscribe', { uri: 'x://1' }),
        talk.answer(2, {}),
      ],
    },
    {
      title: 'prompts are listed and got, and their arguments completed',
      shows: ['prompts/get', 'completion/complete', 'completion/context'],
      lines: (talk) => {
        const context = talk.revision >= '2025-06-18' ? { context: { arguments: { language: 'en' } } } : {};
        return [
          ...talk.opening({ server: { prompts: {}, completions: {} } }),
          talk.ask(1, 'prompts/list'),
          talk.answer(1, {
            prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
            ...(talk.modern && KEEP),
          }),
          talk.ask(2, 'completion/complete', {
            ref: { type: 'ref/prompt', name: 'greet' },
            argument: { name: 'who', value: 'A' },
            ...context,
          }),
          talk.answer(2, { completion: { values: ['Ada', 'Alan'], total: 2, hasMore: false } }),
          talk.ask(3, 'completion/complete', {
            ref: { type: 'ref/resource', uri: 'x://{id}' },
            argument: { name: 'id', value: '' },
          }),
          talk.answer(3, { completion: { values: [] } }),
          talk.ask(4, 'prompts/get', { name: 'greet', arguments: { who: 'Ada' } }),
          talk.answer(4, { messages: [{ role: 'user', content: { type: 'text', text: 'Hello, Ada' } }] }),
        ];
      },
    },
  ],
};
