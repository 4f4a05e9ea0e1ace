import type { Area } from '../area.ts';

const done = { content: [] };
const LEGACY = { until: '2025-11-25' } as const;

export const progress: Area = {
  name: 'Progress and logging',
  requirements: [
    {
      id: 'progress/token',
      source: 'Progress',
      says: 'Progress has the token that the request gave, a string or an integer, whatever the id of the request.',
    },
    {
      id: 'progress/steps',
      source: 'Progress',
      says: 'Progress grows, with or without a total, whole or not, and a message from 2025-03-26 on.',
    },
    {
      id: 'progress/interleaved',
      source: 'Progress',
      says: 'Two calls report at once; each report belongs to one of them.',
    },
    {
      id: 'progress/of-client',
      ...LEGACY,
      source: 'Progress',
      says: 'A client reports on what the server asked of it.',
    },
    {
      id: 'logging/level',
      ...LEGACY,
      source: 'Logging',
      says: 'The client sets the level, and the server says `{}`.',
    },
    {
      id: 'logging/messages',
      source: 'Logging',
      says: 'Log messages have a level, may have a logger, and any data.',
    },
    {
      id: 'logging/unasked',
      ...LEGACY,
      source: 'Logging',
      says: 'The server logs when it likes, within calls and between them.',
    },
    {
      id: 'logging/opt-in',
      since: '2026-07-28',
      source: 'Logging',
      says: 'A request opts in to logs, which come on its own stream.',
    },
  ],
  conversations: [
    {
      title: 'two calls report at once, by tokens that are not their ids',
      shows: ['progress/token', 'progress/interleaved', 'progress/steps'],
      lines: (talk) => {
        const report = (on: number, progressToken: string | number, step: number, more = {}) =>
          talk.told('notifications/progress', { progressToken, progress: step, ...more }, on);
        return [
          ...talk.opening(),
          talk.ask(1, 'tools/call', { name: 'slow', arguments: { n: 1 }, _meta: { progressToken: 2 } }),
          talk.ask(2, 'tools/call', { name: 'slow', arguments: { n: 2 }, _meta: { progressToken: '1' } }),
          report(1, 2, 0.5, { total: 3 }),
          report(2, '1', 10, talk.revision > '2024-11-05' ? { message: 'half' } : {}),
          report(1, 2, 3, { total: 3 }),
          report(2, '1', 11.25),
          talk.answer(2, done),
          talk.answer(1, done),
        ];
      },
    },
    {
      title: 'a client reports on a sample that it was asked for',
      ...LEGACY,
      shows: ['progress/of-client'],
      lines: (talk) => [
        ...talk.opening({ client: { sampling: {} } }),
        talk.ask(1, 'tools/call', { name: 'sample' }),
        talk.asked(1, 'sampling/createMessage', { messages: [], maxTokens: 9, _meta: { progressToken: 'p' } }, 1),
        talk.tell('notifications/progress', { progressToken: 'p', progress: 1 }),
        talk.reply(1, { role: 'assistant', content: { type: 'text', text: 'ok' }, model: 'm' }),
        talk.answer(1, done),
      ],
    },
    {
      title: 'the level is set, and the server logs within a call and of itself',
      ...LEGACY,
      shows: ['logging/level', 'logging/messages', 'logging/unasked'],
      lines: (talk) => [
        ...talk.opening({ server: { logging: {} } }),
        talk.ask(1, 'logging/setLevel', { level: 'debug' }),
        talk.answer(1, {}),
        talk.ask(2, 'tools/call', { name: 'noisy' }),
        talk.told('notifications/message', { level: 'debug', logger: 'db', data: { rows: [1, 2] } }, 2),
        talk.told('notifications/message', { level: 'emergency', data: null }),
        talk.answer(2, done),
      ],
    },
    {
      title: 'a call opts in to logs',
      since: '2026-07-28',
      shows: ['logging/opt-in', 'logging/messages'],
      lines: (talk) => [
        talk.ask(2, 'tools/call', { name: 'noisy', _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } }),
        talk.told('notifications/message', { level: 'debug', logger: 'db', data: [1] }, 2),
        talk.answer(2, done),
      ],
    },
  ],
};
