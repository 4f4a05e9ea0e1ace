import type { Area } from '../area.ts';
import { crossing } from '../talk.ts';

const done = { content: [{ type: 'text', text: 'done' }] };

export const cancellation: Area = {
  name: 'Cancellation',
  requirements: [
    {
      id: 'cancel/before',
      source: 'Cancellation',
      says: 'Who is cancelled says nothing more of the request.',
    },
    {
      id: 'cancel/crossing',
      source: 'Cancellation, Timing',
      says: 'A cancel may cross the answer on its way: both pass.',
      until: '2025-11-25',
    },
    {
      id: 'cancel/after',
      source: 'Cancellation, Timing',
      says: 'A cancel of what was answered is ignored.',
      until: '2025-11-25',
    },
    {
      id: 'cancel/ignored',
      source: 'Cancellation, Behavior',
      says: 'A server may answer in spite of a cancel.',
      until: '2025-11-25',
    },
    {
      id: 'cancel/unknown',
      source: 'Cancellation, Error Handling',
      says: 'A cancel of nothing is ignored.',
      until: '2025-11-25',
    },
    {
      id: 'cancel/progress-goes-on',
      source: 'Cancellation, Timing',
      says: 'Progress that was on its way comes after the cancel.',
      until: '2025-11-25',
    },
    {
      id: 'cancel/by-server',
      source: 'Cancellation',
      says: 'A server cancels what it asked.',
      until: '2025-11-25',
    },
    {
      id: 'cancel/one-of-many',
      source: 'Cancellation',
      says: 'A cancel concerns one request: the others go on.',
    },
    {
      id: 'cancel/zero',
      source: 'Cancellation',
      says: 'The request with the id 0 can be cancelled as any other.',
    },
  ],
  conversations: [
    {
      title: 'a call is cancelled, and never answered',
      shows: ['cancel/before', 'cancel/zero'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(0, 'tools/call', { name: 'slow' }),
        talk.cancel(0, 'too slow'),
        talk.ask(1, 'tools/call', { name: 'quick' }),
        talk.answer(1, done),
      ],
    },
    {
      title: 'one of three calls is cancelled',
      shows: ['cancel/one-of-many'],
      lines: (talk) => [
        ...talk.opening(),
        ...['a', 'b', 'c'].map((id) => talk.ask(id, 'tools/call', { name: 'slow', arguments: { id } })),
        talk.cancel('b'),
        talk.answer('c', done),
        talk.answer('a', done),
      ],
    },
    {
      title: 'a cancel crosses the answer',
      until: '2025-11-25',
      shows: ['cancel/crossing'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'slow' }),
        crossing(talk.cancel(1)),
        talk.answer(1, done),
      ],
    },
    {
      title: 'a cancel comes after the answer, and one names nothing',
      until: '2025-11-25',
      shows: ['cancel/after', 'cancel/unknown'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'quick' }),
        talk.answer(1, done),
        talk.cancel(1),
        talk.cancel('nothing'),
        talk.ask(2, 'tools/call', { name: 'next' }),
        talk.answer(2, done),
      ],
    },
    {
      title: 'a server goes on reporting and answers, although it was cancelled',
      until: '2025-11-25',
      shows: ['cancel/ignored', 'cancel/progress-goes-on'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'slow', _meta: { progressToken: 't' } }),
        talk.told('notifications/progress', { progressToken: 't', progress: 1 }, 1),
        talk.cancel(1),
        talk.told('notifications/progress', { progressToken: 't', progress: 2 }, 1),
        talk.answer(1, done),
      ],
    },
    {
      title: 'a server cancels what it asked of the client',
      until: '2025-11-25',
      shows: ['cancel/by-server'],
      lines: (talk) => [
        ...talk.opening({ client: { sampling: {} } }),
        talk.ask(1, 'tools/call', { name: 'sample' }),
        talk.asked(1, 'sampling/createMessage', { messages: [], maxTokens: 1 }, 1),
        talk.told('notifications/cancelled', { requestId: 1, reason: 'no longer needed' }, 1),
        talk.answer(1, done),
      ],
    },
  ],
};
