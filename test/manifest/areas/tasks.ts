import type { Area } from '../area.ts';

const TASKS = { since: '2025-11-25', until: '2025-11-25' } as const;
const EXTENSION = { since: '2026-07-28' } as const;
const at = '2025-11-25T00:00:00Z';
const task = (status: string, more = {}) => ({
  taskId: 'task-1',
  status,
  createdAt: at,
  lastUpdatedAt: at,
  ttl: null,
  ...more,
});
const related = { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } };
const done = { content: [{ type: 'text', text: 'done' }] };

export const tasks: Area = {
  name: 'Tasks',
  requirements: [
    {
      id: 'tasks/create',
      ...TASKS,
      source: 'Tasks',
      says: 'A call becomes a task, which is asked for until it is done, and its result is fetched.',
    },
    { id: 'tasks/list-cancel', ...TASKS, source: 'Tasks', says: 'Tasks are listed and cancelled.' },
    {
      id: 'tasks/status',
      ...TASKS,
      source: 'Tasks, Notifications',
      says: 'The server may tell of a task unasked.',
    },
    {
      id: 'tasks/related',
      ...TASKS,
      source: 'Tasks, Related Task',
      says: 'What a task asks meanwhile names it.',
    },
    {
      id: 'tasks/of-client',
      ...TASKS,
      source: 'Tasks',
      says: 'A client makes a task of what the server asked.',
    },
    {
      id: 'tasks/extension',
      ...EXTENSION,
      source: 'Extension: Tasks',
      says: 'A server makes a task of a call, which says its result when it is asked for.',
    },
    {
      id: 'tasks/extension-input',
      ...EXTENSION,
      source: 'Extension: Tasks',
      says: 'A task asks for input, is given it, or is cancelled.',
    },
  ],
  conversations: [
    {
      title: 'a call is a task',
      ...TASKS,
      shows: ['tasks/create', 'tasks/status', 'tasks/related', 'tasks/list-cancel'],
      lines: (talk) => [
        ...talk.opening({ server: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } }),
        talk.ask(1, 'tools/call', { name: 'slow', task: { ttl: 60_000 } }),
        talk.answer(1, { task: task('working', { pollInterval: 10 }) }),
        talk.ask(2, 'tasks/get', { taskId: 'task-1' }),
        talk.answer(2, task('working')),
        talk.told('notifications/tasks/status', task('input_required')),
        talk.ask(3, 'tasks/result', { taskId: 'task-1' }),
        talk.asked(
          0,
          'elicitation/create',
          { message: 'Sure?', requestedSchema: { type: 'object', properties: {} }, _meta: related },
          3,
        ),
        talk.reply(0, { action: 'accept', content: {}, _meta: related }),
        talk.answer(3, { ...done, _meta: related }),
        talk.ask(4, 'tasks/list'),
        talk.answer(4, { tasks: [task('completed')] }),
        talk.ask(5, 'tasks/cancel', { taskId: 'task-1' }),
        talk.fail(5, -32602, 'Cannot cancel a task that is completed'),
      ],
    },
    {
      title: 'a client makes a task of a sample',
      ...TASKS,
      shows: ['tasks/of-client'],
      lines: (talk) => [
        ...talk.opening({
          client: { sampling: {}, tasks: { requests: { sampling: { createMessage: {} } } } },
        }),
        talk.ask(1, 'tools/call', { name: 'sample' }),
        talk.asked(0, 'sampling/createMessage', { messages: [], maxTokens: 1, task: {} }, 1),
        talk.reply(0, { task: task('working') }),
        talk.asked(1, 'tasks/result', { taskId: 'task-1' }, 1),
        talk.reply(1, {
          role: 'assistant',
          content: { type: 'text', text: 'ok' },
          model: 'm',
          _meta: related,
        }),
        talk.answer(1, done),
      ],
    },
    {
      title: 'a server makes a task of a call, which needs input',
      ...EXTENSION,
      shows: ['tasks/extension', 'tasks/extension-input'],
      lines: (talk) => {
        const now = { taskId: 't-1', createdAt: at, lastUpdatedAt: at, ttlMs: null };
        const question = {
          method: 'elicitation/create',
          params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
        };
        return [
          talk.ask(1, 'tools/call', { name: 'slow' }),
          talk.answer(1, { resultType: 'task', ...now, status: 'working', pollIntervalMs: 10 }),
          talk.ask(2, 'tasks/get', { taskId: 't-1' }),
          talk.answer(2, { ...now, status: 'input_required', inputRequests: { sure: question } }),
          talk.ask(3, 'tasks/update', {
            taskId: 't-1',
            inputResponses: { sure: { action: 'accept', content: {} } },
          }),
          talk.answer(3, {}),
          talk.ask(4, 'tasks/get', { taskId: 't-1' }),
          talk.answer(4, { ...now, status: 'completed', result: done }),
          talk.ask(5, 'tasks/cancel', { taskId: 't-2' }),
          talk.fail(5, -32602, 'Unknown task'),
        ];
      },
    },
  ],
};
