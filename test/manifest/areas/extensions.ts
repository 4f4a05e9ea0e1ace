import { createHash } from 'node:crypto';
import type { Area } from '../area.ts';

const MODERN = { since: '2026-07-28' } as const;
const ANY = { since: '2025-11-25' } as const;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const cached = { ttlMs: 0, cacheScope: 'private' };
const uri = 'skill://review/SKILL.md';
const text = '---\nname: review\ndescription: Reviews code.\n---\nLook for `TODO`.\n';
const skill = {
  uri,
  frontmatter: { name: 'review', description: 'Reviews code.' },
  resources: [
    { uri, digest: `sha256:${createHash('sha256').update(text).digest('hex')}`, size: Buffer.byteLength(text) },
  ],
};
const incident = { eventId: 'e1', name: 'incident', timestamp: '2026-11-01T00:00:00Z', data: { service: 'db' } };

export const extensions: Area = {
  name: 'Official extensions',
  note: `Skills as of its stable specification (SEP-2640), Apps as of \`@modelcontextprotocol/ext-apps\` 2.0, the tasks of 2026-07-28 in the area
above. Events as of the abstract of SEP-3415, drafts of its conformance scenarios, what \`@ai-sdk/mcp\` 2.0 sends, and a version of its working
group's design sketch (2026-02-19: capability, poll, push, subscribe). The text of the SEP itself was not at hand. An extension may be
spoken in any revision; it is shown from 2025-11-25 on.

Skills and Events were also tried between peers of other people, recorded, replayed twice and verified, by \`npm run third-party\`:

| peer | Skills | Events |
|---|---|---|
| \`@modelcontextprotocol/server\` 2.4.0 | serves all three methods | has none of it: the server of the test is written from the sketch |
| \`@modelcontextprotocol/client\` 2.4.0 | has all three methods, and checks digests | has none of it: the test polls with requests written by hand |
| \`@modelcontextprotocol/inspector\` 2.12.0, \`--cli\` | has all three methods, and \`--verify\` | has none of it: "Unsupported method: events/list" |
| \`@ai-sdk/mcp\` 2.0.99 | has none of it | \`events/list\`, \`events/subscribe\`, \`events/unsubscribe\`; it neither polls nor streams |
| \`@modelcontextprotocol/sdk\` 1.32.2 | has none of it | has none of it: the test polls with requests written by hand |

The sketch declares Events as \`capabilities.events\`, and SEP-3415 as \`capabilities.extensions["io.modelcontextprotocol/events"]\`. \`@ai-sdk/mcp\` looks for
the first alone. \`lint\` takes either, and a mock of a cassette without an opening declares both.

No client of these packages knows \`events/stream\`, nor does \`mcp-remote\` 0.15.1. In November 2026 these are the newest versions on npm. \`npm run third-party\`
fails when one of them has the method.`,
  requirements: [
    {
      id: 'skills/list',
      ...ANY,
      source: 'Extension Skills: Listing Skills',
      says: 'Skills are listed, page by page, with their frontmatter and the digests of their files.',
    },
    {
      id: 'skills/get',
      ...ANY,
      source: 'Extension Skills: Getting a Skill, Reading Skill Content',
      says: 'One skill is got by its URI, and its files are read as resources.',
    },
    {
      id: 'skills/directory',
      ...ANY,
      source: 'Extension Skills: Reading Directories',
      says: 'A directory lists its children; what is none is refused with -32602.',
    },
    {
      id: 'events/list',
      ...ANY,
      source: 'Extension Events: event types',
      says: 'Event types are listed, with the ways in which they are delivered.',
    },
    {
      id: 'events/poll',
      ...ANY,
      source: 'Extension Events: poll',
      says: 'A client polls from the position of the answer before, at times that the server names.',
    },
    {
      id: 'events/stream',
      ...MODERN,
      source: 'Extension Events: push',
      says: 'A stream is confirmed, says events with the id of its request, and goes on from a position.',
    },
    {
      id: 'events/subscribe',
      ...ANY,
      source: 'Extension Events: webhook',
      says: 'A subscription is made, renewed and ended. What the server posts to the webhook is no MCP, and in no cassette.',
    },
    {
      id: 'apps/meta',
      ...ANY,
      source: 'Extension Apps: UI resources',
      says: '`_meta.ui` of tools and resources passes, and so do resources of apps.',
    },
  ],
  conversations: [
    {
      title: 'a client lists skills, gets one, and reads it',
      ...ANY,
      shows: ['skills/list', 'skills/get', 'skills/directory'],
      lines: (talk) => [
        ...talk.opening({
          server: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } },
        }),
        talk.ask(1, 'skills/list'),
        talk.answer(1, { skills: [skill], nextCursor: 'more', ...cached }),
        talk.ask(2, 'skills/list', { cursor: 'more' }),
        talk.answer(2, {
          skills: [
            {
              ...skill,
              uri: 'skill://daily/SKILL.md',
              frontmatter: { name: 'daily', description: 'x' },
              resources: 'dynamic',
            },
          ],
          ...cached,
        }),
        talk.ask(3, 'skills/get', { uri }),
        talk.answer(3, { skill, ...cached }),
        talk.ask(4, 'resources/read', { uri }),
        talk.answer(4, { contents: [{ uri, mimeType: 'text/markdown', text }], ...cached }),
        talk.ask(5, 'resources/directory/read', { uri: 'skill://review' }),
        talk.answer(5, { resources: [{ uri, name: 'SKILL.md', mimeType: 'text/markdown' }] }),
        talk.ask(6, 'resources/directory/read', { uri }),
        talk.fail(6, -32602, 'Not a directory'),
      ],
    },
    {
      title: 'a client polls for events, and subscribes a webhook',
      ...ANY,
      shows: ['events/list', 'events/poll', 'events/subscribe'],
      lines: (talk) => {
        const asked = { name: 'incident', arguments: { service: 'db' } };
        const delivery = { mode: 'webhook', url: 'https://callback.test/mcp', secret: 'whsec_placeholder' };
        const subscribed = { id: 's1', refreshBefore: '2026-11-01T01:00:00Z', cursor: 'c3', truncated: false };
        return [
          ...talk.opening({
            server: { tools: {}, extensions: { 'io.modelcontextprotocol/events': { listChanged: true } } },
          }),
          talk.ask(1, 'events/list'),
          talk.answer(1, {
            events: [{ name: 'incident', delivery: ['poll', 'push', 'webhook'], inputSchema: {}, payloadSchema: {} }],
            ...cached,
          }),
          talk.ask(2, 'events/poll', { ...asked, cursor: null }),
          talk.answer(2, { events: [], cursor: 'c1', hasMore: false, nextPollMs: 10 }),
          talk.ask(3, 'events/poll', { ...asked, cursor: 'c1' }),
          talk.answer(3, { events: [], cursor: 'c2', hasMore: false, nextPollMs: 10 }),
          talk.ask(4, 'tools/call', { name: 'break' }),
          talk.answer(4, { content: [] }),
          talk.ask(5, 'events/poll', { ...asked, cursor: 'c2' }),
          talk.answer(5, { events: [incident], cursor: 'c3', hasMore: false, nextPollMs: 10 }),
          talk.ask(6, 'events/subscribe', { ...asked, delivery, cursor: 'c3' }),
          talk.answer(6, subscribed),
          talk.ask(7, 'events/subscribe', { ...asked, delivery, cursor: 'c3' }),
          talk.answer(7, { ...subscribed, refreshBefore: '2026-11-01T02:00:00Z' }),
          talk.ask(8, 'events/unsubscribe', { ...asked, delivery: { mode: 'webhook', url: delivery.url } }),
          talk.answer(8, {}),
          talk.ask(9, 'events/poll', { name: 'incident', arguments: { service: 7 } }),
          talk.fail(9, -32602, 'service is a string'),
        ];
      },
    },
    {
      title: 'two streams of events, of which the client ends one and the server the other',
      ...MODERN,
      shows: ['events/stream'],
      lines: (talk) => {
        const of = (id: string | number) => ({ _meta: { [SUBSCRIPTION]: id } });
        const stream = (service: string, cursor: string | null) => ({
          name: 'incident',
          arguments: { service },
          cursor,
        });
        const active = 'notifications/events/active';
        const event = 'notifications/events/event';
        return [
          talk.ask('s:0', 'events/stream', stream('db', null)),
          talk.told(active, { cursor: 'c1', truncated: false, ...of('s:0') }, 's:0'),
          talk.ask(1, 'events/stream', stream('web', 'c0')),
          talk.told(active, { cursor: 'c0', truncated: true, ...of(1) }, 1),
          talk.told(event, { ...incident, cursor: 'c2', ...of('s:0') }, 's:0'),
          talk.told('notifications/events/heartbeat', { cursor: 'c1', ...of(1) }, 1),
          talk.cancel('s:0'),
          talk.told('notifications/events/terminated', { error: { code: -32012, message: 'gone' }, ...of(1) }, 1),
          talk.answer(1, of(1)),
        ];
      },
    },
    {
      title: 'a tool shows an app',
      ...ANY,
      shows: ['apps/meta'],
      lines: (talk) => {
        const ui = { resourceUri: 'ui://weather/view.html', visibility: ['model', 'app'] };
        const csp = { connectDomains: ['https://api.test'] };
        return [
          ...talk.opening({
            client: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
            server: { tools: {}, resources: {} },
          }),
          talk.ask(1, 'tools/list'),
          talk.answer(1, { tools: [{ name: 'weather', inputSchema: { type: 'object' }, _meta: { ui } }], ...cached }),
          talk.ask(2, 'resources/read', { uri: ui.resourceUri }),
          talk.answer(2, {
            contents: [
              {
                uri: ui.resourceUri,
                mimeType: 'text/html;profile=mcp-app',
                text: '<!doctype html>',
                _meta: { ui: { csp, permissions: { geolocation: {} } } },
              },
            ],
            ...cached,
          }),
        ];
      },
    },
  ],
};
