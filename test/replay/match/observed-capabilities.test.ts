import { expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { clientCapabilities, serverCapabilities } from '../../../src/replay/match/observed-capabilities.ts';
import { cassette, client, notification, request, server } from '../../support/conversation.ts';

const entries = (...frames: Frame[]) => eventsToEntries(cassette(...frames).events);

const SKILLS = 'io.modelcontextprotocol/skills';
const EVENTS = 'io.modelcontextprotocol/events';

it('all settings of an extension are declared together, and tasks are one from 2026-07-28 on', () => {
  const frames = ['skills/list', 'resources/directory/read', 'skills/get', 'tasks/get'].map((method) =>
    client(request(1, method)),
  );
  expect(serverCapabilities(entries(...frames), { modern: true })).toEqual({
    resources: {},
    extensions: { [SKILLS]: { directoryRead: true }, 'io.modelcontextprotocol/tasks': {} },
  });
});

it.each<[Frame, object]>([
  [client(request(1, 'tools/call', { name: 'a' })), { tools: {} }],
  [client(request(1, 'prompts/get', { name: 'a' })), { prompts: {} }],
  [client(request(1, 'resources/read', { uri: 'a:' })), { resources: {} }],
  [client(request(1, 'resources/subscribe', { uri: 'a:' })), { resources: { subscribe: true } }],
  [client(request(1, 'completion/complete')), { completions: {} }],
  [client(request(1, 'logging/setLevel')), { logging: {} }],
  [server(notification('message')), { logging: {} }],
  [server(notification('tools/list_changed')), { tools: { listChanged: true } }],
  [server(notification('resources/updated', { uri: 'a:' })), { resources: { subscribe: true } }],
  [server(request(1, 'tools/call')), {}],
  [client(request(1, 'tasks/get', { taskId: 't' })), { tasks: {} }],
  [client(request(1, 'tasks/list')), { tasks: {} }],
  [client(request(1, 'skills/list')), { resources: {}, extensions: { [SKILLS]: {} } }],
  [
    client(request(1, 'resources/directory/read')),
    { resources: {}, extensions: { [SKILLS]: { directoryRead: true } } },
  ],
  [client(request(1, 'events/poll', { name: 'a' })), { events: {}, extensions: { [EVENTS]: {} } }],
  [
    server(notification('events/list_changed')),
    { events: { listChanged: true }, extensions: { [EVENTS]: { listChanged: true } } },
  ],
  [client(request(1, 'ping')), {}],
])('a server that has %j must have declared %j', (frame, capabilities) => {
  expect(serverCapabilities(entries(frame))).toEqual(capabilities);
});

it.each<[Frame, object]>([
  [server(request(1, 'sampling/createMessage', { messages: [] })), { sampling: {} }],
  [server(request(1, 'sampling/createMessage', { tools: [] })), { sampling: { tools: {} } }],
  [server(request(1, 'elicitation/create', { message: 'a' })), { elicitation: { form: {} } }],
  [server(request(1, 'elicitation/create', { mode: 'url' })), { elicitation: { form: {}, url: {} } }],
  [server(request(1, 'roots/list')), { roots: { listChanged: true } }],
  [client(notification('roots/list_changed')), { roots: { listChanged: true } }],
  [server(request(1, 'ping')), {}],
])('a client that is told, or says, %j must have declared %j', (frame, capabilities) => {
  expect(clientCapabilities(entries(frame))).toEqual(capabilities);
});
