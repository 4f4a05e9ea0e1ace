import type { Area } from '../area.ts';

const LEGACY = { until: '2025-11-25' } as const;
const done = { content: [{ type: 'text', text: 'done' }] };
const step = (progress: number) => ({ progressToken: 't', progress });

/** What a side waits for no longer, and what it was never promised. */
export const limits: Area = {
  name: 'Timeouts and capabilities',
  requirements: [
    {
      id: 'timeout/cancelled',
      source: 'Lifecycle, Timeouts',
      says: 'A request that is not answered in time is cancelled, and the session goes on.',
    },
    {
      id: 'timeout/progress',
      source: 'Lifecycle, Timeouts',
      says: 'Progress may begin the time anew: an answer comes long after the request.',
    },
    {
      id: 'timeout/absolute',
      source: 'Lifecycle, Timeouts',
      says: 'In the end a request is cancelled in spite of progress.',
    },
    {
      id: 'timeout/of-server',
      ...LEGACY,
      source: 'Lifecycle, Timeouts',
      says: 'A server too waits for an answer only so long.',
    },
    {
      id: 'capabilities/of-client',
      ...LEGACY,
      source: 'Lifecycle, Capability Negotiation',
      says: 'What a server asks of a client that never declared it passes and is kept; lint names it.',
    },
    {
      id: 'capabilities/of-server',
      ...LEGACY,
      source: 'Lifecycle, Capability Negotiation',
      says: 'What a client asks of a server that never declared it passes and is kept; lint names it.',
    },
    {
      id: 'capabilities/told',
      ...LEGACY,
      source: 'Lifecycle, Capability Negotiation',
      says: 'What a side tells without having declared it passes and is kept; lint names it.',
    },
  ],
  conversations: [
    {
      title: 'a client waits for an answer in vain, and cancels',
      shows: ['timeout/cancelled'],
      breaks: [],
      lines: (talk) => [
        ...talk.opening({ server: { tools: {} } }),
        talk.ask(1, 'tools/call', { name: 'stuck' }),
        talk.cancel(1, 'Request timed out'),
        talk.ask(2, 'tools/call', { name: 'quick' }),
        talk.answer(2, done),
      ],
    },
    {
      title: 'a client waits as long as there is progress, and then no longer',
      shows: ['timeout/progress', 'timeout/absolute'],
      breaks: [],
      lines: (talk) => [
        ...talk.opening({ server: { tools: {} } }),
        talk.ask(1, 'tools/call', { name: 'slow', _meta: { progressToken: 't' } }),
        ...[1, 2, 3].map((n) => talk.told('notifications/progress', step(n), 1)),
        talk.answer(1, done),
        talk.ask(2, 'tools/call', { name: 'endless', _meta: { progressToken: 't' } }),
        ...[1, 2, 3].map((n) => talk.told('notifications/progress', step(n), 2)),
        talk.cancel(2, 'Maximum total timeout exceeded'),
        talk.ask(3, 'tools/call', { name: 'quick' }),
        talk.answer(3, done),
      ],
    },
    {
      title: 'a server waits for an answer in vain, cancels, and fails',
      ...LEGACY,
      shows: ['timeout/of-server'],
      breaks: [],
      lines: (talk) => [
        ...talk.opening({ client: { roots: {} }, server: { tools: {} } }),
        talk.ask(1, 'tools/call', { name: 'roots' }),
        talk.asked(1, 'roots/list', undefined, 1),
        talk.told('notifications/cancelled', { requestId: 1, reason: 'Request timed out' }, 1),
        talk.fail(1, -32603, 'The client does not answer'),
      ],
    },
    {
      title: 'a server asks for a sample, which the client never declared',
      ...LEGACY,
      shows: ['capabilities/of-client'],
      breaks: ['client-capability'],
      lines: (talk) => [
        ...talk.opening({ server: { tools: {} } }),
        talk.ask(1, 'tools/call', { name: 'sample' }),
        talk.asked(1, 'sampling/createMessage', { messages: [], maxTokens: 1 }, 1),
        talk.decline(1, -32601, 'Method not found'),
        talk.answer(1, { ...done, isError: true }),
      ],
    },
    {
      title: 'a client asks for prompts, which the server never declared',
      ...LEGACY,
      shows: ['capabilities/of-server'],
      breaks: ['server-capability'],
      lines: (talk) => [
        ...talk.opening({ server: { tools: {} } }),
        talk.ask(1, 'prompts/list'),
        talk.fail(1, -32601, 'Method not found'),
      ],
    },
    {
      title: 'both sides tell of changes to what they never declared',
      ...LEGACY,
      shows: ['capabilities/told'],
      breaks: ['notification-capability', 'notification-capability'],
      lines: (talk) => [
        ...talk.opening({ server: { tools: {} } }),
        talk.tell('notifications/roots/list_changed'),
        talk.ask(1, 'tools/call', { name: 'change' }),
        talk.told('notifications/tools/list_changed', undefined, 1),
        talk.answer(1, done),
      ],
    },
  ],
};
