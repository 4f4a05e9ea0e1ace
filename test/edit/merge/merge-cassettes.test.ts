import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/testing.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { mergeCassettes } from '../../../src/edit/merge/merge-cassettes.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { sdkReplay } from '../sdk-replay.ts';

const folder = temporaryFolder();

const HEAD = 'format: mcp-record/1\ntransport: stdio\n';
const text = (events: readonly string[], head = HEAD) =>
  `${head}events:\n${events.map((event) => `${event}\n`).join('')}`;

const merge = (...texts: string[]) =>
  mergeCassettes(
    texts.map((one, n) => ({ file: `${'abc'[n]}.yaml`, text: one })),
    'merged.yaml',
  );

/** The events of a merged cassette, as their lines. */
const eventsOf = (merged: string) =>
  merged
    .slice(merged.indexOf('events:\n') + 8)
    .trimEnd()
    .split('\n');

const initialize = (client = 'c', capabilities = '{}', revision = '2025-11-25') =>
  `- client: { id: 0, method: initialize, params: { protocolVersion: ${revision}, capabilities: ${capabilities}, clientInfo: { name: ${client}, version: "1" } } }`;
const opened = (revision = '2025-11-25', capabilities = '{}') =>
  `- server: { id: 0, result: { protocolVersion: ${revision}, capabilities: ${capabilities}, serverInfo: { name: s, version: "1" } } }`;
const INITIALIZED = '- client: { method: notifications/initialized }';
const HANDSHAKE = [initialize(), opened(), INITIALIZED];

const call = (id: number | string, tool: string, more = '') =>
  `- client: { id: ${id}, method: tools/call, params: { name: ${tool}${more} } }`;
const answer = (id: number | string) => `- server: { id: ${id}, result: { content: [] } }`;
const END = ['- close: client', '- stderr: bye', '- exit: 0', '- end: complete'];

describe('placeholders of secrets', () => {
  const ofCustomer = (id: number, who: string) => call(id, 'get', `, arguments: { customer: "[redacted:${who}]" }`);
  const [one, two] = ['email:1', 'email:2'].map((who, n) => ofCustomer(n + 1, who)) as string[];
  const session = (...events: string[]) => text([...HANDSHAKE, ...events]);

  it('get other numbers, because each cassette counts its own', () => {
    const { text: merged, counts } = merge(
      session(one!, answer(1), two!, answer(2)),
      session(ofCustomer(11, 'email:2'), answer(11), ofCustomer(12, 'email:4'), answer(12)),
      session(ofCustomer(21, 'email:2'), '- stderr: "[redacted:email:2] [redacted:phone:1]"', answer(21)),
    );
    expect(eventsOf(merged).slice(3)).toEqual([
      ...[one, answer(1), two, answer(2)],
      ...[ofCustomer(11, 'email:5'), answer(11), ofCustomer(12, 'email:4'), answer(12)],
      ...[ofCustomer(21, 'email:6'), '- stderr: "[redacted:email:6] [redacted:phone:1]"', answer(21)],
    ]);
    expect(counts.placeholders).toBe(2);
  });

  it("stay where they are equal by the user's word, or are named after a variable", () => {
    const inputs = [session(one!, answer(1)), session(ofCustomer(2, 'email:1'), answer(2))];
    const { text: merged, counts } = mergeCassettes(
      inputs.map((one, n) => ({ file: `${n}.yaml`, text: one })),
      'merged.yaml',
      { sameSecrets: true },
    );
    expect(eventsOf(merged).slice(3)).toEqual([one, answer(1), ofCustomer(2, 'email:1'), answer(2)]);
    expect(counts.placeholders).toBe(0);
    const variable = [1, 2].map((id) => ofCustomer(id, 'API_KEY:1')) as [string, string];
    const both = merge(session(variable[0], answer(1)), session(variable[1], answer(2)));
    expect(eventsOf(both.text).slice(3)).toEqual([variable[0], answer(1), variable[1], answer(2)]);
  });

  it('stay where the handshake has them that is kept once', () => {
    const handshake = [initialize('"[redacted:user:1]"'), opened(), INITIALIZED];
    const named = (id: number) => ofCustomer(id, 'user:1');
    const merged = merge(text([...handshake, named(1), answer(1)]), text([...handshake, named(2), answer(2)]));
    expect(eventsOf(merged.text)).toEqual([...handshake, named(1), answer(1), named(2), answer(2)]);
  });

  it('of two secrets are two: a client that sends the first one again is found', async () => {
    const inputs = [1, 2].map((id) => session(ofCustomer(id, 'github-token:1'), answer(id)));
    const file = join(folder, 'two-secrets.yaml');
    writeFileSync(file, merge(...inputs).text);
    const failuresOf = async (...tokens: string[]) => {
      const server = await mockServer(file, { over: 'memory' });
      const client = new Client({ name: 'c', version: '1' });
      await client.connect(server.transport);
      for (const customer of tokens) await client.callTool({ name: 'get', arguments: { customer } }).catch(() => {});
      await client.close();
      return (await server.finish()).failures.map(({ text }) => text);
    };
    const [ada, bob] = ['Ab1', 'Bc2'].map((part) => `ghp_${part.repeat(12)}`) as [string, string];
    expect(await failuresOf(ada, bob)).toEqual([]);
    expect((await failuresOf(ada, ada)).join()).toContain('[redacted:github-token:2]');
  });
});

describe('sessions over stdio', () => {
  it('become one: its handshake stands once, and only the last one ends it', () => {
    const { text: merged, counts } = merge(
      text([...HANDSHAKE, call(1, 'add'), answer(1), ...END]),
      text([...HANDSHAKE, call(2, 'echo'), answer(2), ...END]),
    );
    expect(eventsOf(merged)).toEqual([...HANDSHAKE, call(1, 'add'), answer(1), call(2, 'echo'), answer(2), ...END]);
    expect(counts).toEqual({ kept: 10, leftOut: 6, renumbered: 0, placeholders: 0 });
  });

  it('lose what the server says at each start, and keep what it says at one', () => {
    const opening = (line: string) => [
      '- stderr: starting',
      ...HANDSHAKE,
      '- server: { id: 7, method: roots/list }',
      '- client: { id: 7, result: { roots: [] } }',
      `- stderr: ${line}`,
    ];
    const { text: merged } = merge(
      text([...opening('warm'), call(1, 'add'), answer(1)]),
      text(['- stderr: starting', ...opening('cold'), call(2, 'echo'), answer(2)]),
    );
    expect(eventsOf(merged)).toEqual([
      ...opening('warm'),
      ...[call(1, 'add'), answer(1), '- stderr: starting', '- stderr: cold', call(2, 'echo'), answer(2)],
    ]);
  });

  it('keep a question whose answer is another one', () => {
    const opening = (roots: string) => [
      ...HANDSHAKE,
      '- server: { id: 7, method: roots/list }',
      `- client: { id: 7, result: { roots: [${roots}] } }`,
    ];
    const { text: merged } = merge(
      text(opening('')),
      text([...opening('{ uri: "file:///a" }'), call(2, 'echo'), answer(2)]),
    );
    expect(eventsOf(merged)).toEqual([
      ...opening(''),
      '- server: { id: 8, method: roots/list }',
      '- client: { id: 8, result: { roots: [{ uri: "file:///a" }] } }',
      ...[call(2, 'echo'), answer(2)],
    ]);
  });

  it('get other ids where theirs are in use, wherever an id stands', () => {
    const events = (id: number | string) => [
      call(id, 'add', `, _meta: { progressToken: ${id} }`),
      `- server: { method: notifications/progress, params: { progressToken: ${id}, progress: 1 } }`,
      `- client: { method: notifications/cancelled, params: { requestId: ${id} } }`,
      answer(id),
    ];
    const { text: merged, counts } = merge(
      text([...HANDSHAKE, ...events(1), ...events('"x"')]),
      text([...HANDSHAKE, call(5, 'echo'), answer(5), ...events(1), ...events('"x"')]),
    );
    const inSecond = eventsOf(merged).slice(11);
    expect(inSecond.slice(2, 6)).toEqual([
      call(6, 'add', ', _meta: { progressToken: 7 }'),
      '- server: { method: notifications/progress, params: { progressToken: 7, progress: 1 } }',
      '- client: { method: notifications/cancelled, params: { requestId: 6 } }',
      answer(6),
    ]);
    expect(inSecond.slice(6)).toEqual([
      call('"x-8"', 'add', ', _meta: { progressToken: "x-9" }'),
      '- server: { method: notifications/progress, params: { progressToken: "x-9", progress: 1 } }',
      '- client: { method: notifications/cancelled, params: { requestId: "x-8" } }',
      answer('"x-8"'),
    ]);
    expect(counts.renumbered).toBe(2);
  });

  it('keep a signal that ended nothing', () => {
    const { text: merged } = merge(
      text([...HANDSHAKE, '- signal: SIGHUP', call(1, 'add'), answer(1), '- signal: SIGTERM', '- exit: SIGTERM']),
      text([...HANDSHAKE, call(2, 'echo'), answer(2)]),
    );
    expect(eventsOf(merged)).toEqual([
      ...[...HANDSHAKE, '- signal: SIGHUP', call(1, 'add'), answer(1)],
      ...[call(2, 'echo'), answer(2)],
    ]);
  });

  it('get other ids for subscriptions, in each message of them (2026-07-28)', () => {
    const meta = 'io.modelcontextprotocol/protocolVersion: 2026-07-28, io.modelcontextprotocol/clientCapabilities: {}';
    const of = (id: number) => `_meta: { io.modelcontextprotocol/subscriptionId: ${id} }`;
    const events = (id: number) => [
      `- client: { id: ${id}, method: subscriptions/listen, params: { notifications: {}, _meta: { ${meta} } } }`,
      `- server: { method: notifications/subscriptions/acknowledged, params: { notifications: {}, ${of(id)} } }`,
      `- server: { method: notifications/tools/list_changed, params: { ${of(id)} } }`,
      `- server: { method: notifications/cancelled, params: { requestId: ${id} } }`,
    ];
    const { text: merged } = merge(text(events(1)), text(events(1)));
    expect(eventsOf(merged)).toEqual([...events(1), ...events(2)]);
  });

  it('get other ids in batches, raw lines and answers that came twice', () => {
    const batch = (id: number) =>
      `- client: [ { id: ${id}, method: tools/call, params: { name: a } }, { id: 9, method: tools/call, params: { name: b } } ]`;
    const raw = (id: number) => `- client: '{"id":${id},"method":"tools/call","params":{"name":"c"}}'`;
    const twice = [answer(1), answer(1)];
    const recorded = 'format: mcp-record/1\nrecorder: r\ntransport: stdio\n';
    const first = [batch(1), ...twice, answer(9), raw(2), answer(2), '- end: complete'];
    const { text: merged } = merge(text(first, recorded), text(first, recorded));
    expect(eventsOf(merged).slice(6)).toEqual([
      '- client: [ { id: 10, method: tools/call, params: { name: a } }, { id: 11, method: tools/call, params: { name: b } } ]',
      ...[answer(10), answer(10), answer(11), raw(12), answer(12), '- end: complete'],
    ]);
  });

  it('are three, too, and no new id is one that a later one has', () => {
    const one = [call(1, 'add'), answer(1)];
    const { text: merged } = merge(text(one), text(one), text([call(2, 'echo'), answer(2), ...one]));
    expect(eventsOf(merged)).toEqual([
      ...one,
      ...[call(2, 'add'), answer(2)],
      ...[call(3, 'echo'), answer(3), call(4, 'add'), answer(4)],
    ]);
  });

  it.each([
    [
      'the revision',
      [initialize('c', '{}', '2025-06-18'), opened('2025-06-18'), INITIALIZED],
      /its revision is 2025-06-18, and that of a\.yaml 2025-11-25/,
    ],
    [
      'what the client can do',
      [initialize('c', '{ roots: {} }'), opened(), INITIALIZED],
      /what the client can do is not the same as in a\.yaml/,
    ],
    [
      'what the server can do',
      [initialize(), opened('2025-11-25', '{ tools: {} }'), INITIALIZED],
      /what the server can do is not the same/,
    ],
    ['the client', [initialize('d'), opened(), INITIALIZED], /the name or version of the client is not the same/],
  ])('are refused where they differ in %s', (_, opening, why) => {
    const merging = () =>
      merge(text([...HANDSHAKE, call(1, 'add'), answer(1)]), text([...opening, call(2, 'b'), answer(2)]));
    expect(merging).toThrow(why);
    expect(merging).toThrow(/^Cannot merge b\.yaml: .*\[USAGE_CANNOT_MERGE\]\n {2}Keep them as two cassettes/);
  });

  it.each([
    ['what the client can do', '{ sampling: {} }', '{}', /what the client can do is not the same as in a\.yaml/],
    ['what the server can do', '{}', '{ tools: {} }', /what the server can do is not the same as in a\.yaml/],
  ])('of 2026-07-28 are refused where they differ in %s', (_, client, server, why) => {
    const discovery = (ofClient: string, ofServer: string) => [
      `- client: { id: 0, method: server/discover, params: { _meta: { io.modelcontextprotocol/protocolVersion: 2026-07-28, io.modelcontextprotocol/clientCapabilities: ${ofClient} } } }`,
      `- server: { id: 0, result: { resultType: complete, supportedVersions: [2026-07-28], capabilities: ${ofServer} } }`,
    ];
    expect(() => merge(text(discovery('{}', '{}')), text(discovery(client, server)))).toThrow(why);
  });

  it('are refused where the handshake would come late, or a server has crashed', () => {
    const bare = text([call(1, 'add'), answer(1)]);
    expect(() => merge(bare, text([...HANDSHAKE, call(2, 'echo'), answer(2)]))).toThrow(/Name b\.yaml first/);
    const crashed = text([...HANDSHAKE, call(1, 'crash'), '- exit: SIGSEGV']);
    const fine = text([...HANDSHAKE, call(2, 'echo'), answer(2)]);
    expect(() => merge(crashed, fine)).toThrow(/its server ended at line 8, .*\n {2}Name a\.yaml last/);
    expect(eventsOf(merge(fine, crashed).text)).toEqual([
      ...HANDSHAKE,
      call(2, 'echo'),
      answer(2),
      call(1, 'crash'),
      '- exit: SIGSEGV',
    ]);
  });

  it('are refused beside others', () => {
    const http = text(
      [call(1, 'add'), answer(1)].map((event) => `${event}\n  stream: 1`),
      HEAD.replace('stdio', 'http'),
    );
    expect(() => merge(text([call(1, 'add'), answer(1)]), http)).toThrow(
      /recorded over http, and a\.yaml over stdio.*CANNOT_MERGE/,
    );
    expect(() => merge('name: x\n', http)).toThrow(/a\.yaml.*CASSETTE_NOT_RECOGNIZED/);
  });

  it('that a recorder wrote end as the last one that has an end does, and are cut off where the last one is', () => {
    const recorded = 'format: mcp-record/1\nrecorder: r\ntransport: stdio\n';
    const one = text([call(1, 'add'), answer(1), '- end: complete'], recorded);
    expect(eventsOf(merge(one, text([call(2, 'echo'), answer(2)])).text).at(-1)).toBe('- end: complete');
    const later = text([call(2, 'echo'), answer(2), '- end: interrupted'], recorded);
    expect(eventsOf(merge(one, later).text).slice(-2)).toEqual([answer(2), '- end: interrupted']);
    const indented = later.replaceAll(/^- /gm, '  - ');
    expect(eventsOf(merge(one, indented).text)).toEqual(eventsOf(merge(one, later).text));
    const torn = text([call(2, 'echo'), answer(2), '- client: { id: 3, meth'], recorded).trimEnd();
    const { text: merged, warnings } = merge(one, torn);
    expect(eventsOf(merged).slice(-2)).toEqual([answer(2), '- client: { id: 3, meth']);
    expect(warnings).toHaveLength(1);
    expect(eventsOf(merge(torn, one).text)).toEqual([
      call(2, 'echo'),
      answer(2),
      call(1, 'add'),
      answer(1),
      '- end: complete',
    ]);
  });

  it('keep comments and layouts, and stand in one column', () => {
    const first = `# first\n${HEAD}events:\n  # adds\n  ${call(1, 'add')}\n  ${answer(1)}\n  # end of a\n`;
    const second = `# MCP session recorded by mcp-record. Format: mcp-record/1\n# second\n${HEAD}events:\n# echoes\n- client:\n    id:   2  # odd\n    method: tools/call\n    params: { name: echo, text: |-\n`;
    const block = `${second.replace(', text: |-\n', ' }\n')}${answer(2)}\n- stderr: |\n    one\n\n      # two\n`;
    const { text: merged } = merge(first, block);
    expect(merged).toBe(
      `${first}# second\n  # echoes\n  - client:\n      id:   2  # odd\n      method: tools/call\n      params: { name: echo }\n  ${answer(2)}\n  - stderr: |\n      one\n\n        # two\n`,
    );
    const { text: back } = merge(block, first);
    expect(parseCassette(back, 'x.yaml').events.map(({ frame }) => frame.kind)).toEqual([
      'message',
      'message',
      'line',
      'message',
      'message',
    ]);
    expect(back.startsWith(block)).toBe(true);
  });
});

describe('sessions over HTTP', () => {
  const http = HEAD.replace('stdio', 'http');
  const on = (stream: number, line: string, more = '') => `${line}\n  stream: ${stream}${more}`;
  const session = (first: number) => [
    on(first, HANDSHAKE[0]!),
    on(first, HANDSHAKE[1]!, '\n  session: new'),
    on(first + 1, HANDSHAKE[2]!),
  ];

  it('stay apart, and their exchanges get other numbers', () => {
    const one = [...session(1), on(3, call(1, 'add')), on(3, answer(1)), '- open: DELETE\n  stream: 4'];
    const { text: merged, counts } = merge(text(one, http), text(one, http));
    const shifted = one.map((event) => event.replace(/stream: (\d)/, (_, number) => `stream: ${Number(number) + 4}`));
    expect(merged).toBe(text([...one, ...shifted], http));
    expect(counts).toEqual({ kept: 12, leftOut: 0, renumbered: 0, placeholders: 0 });
    const numbered = text([...session(10), on(12, call(1, 'add')), on(12, answer(1))], http);
    expect(merge(text(one, http), numbered).text).toBe(
      text(one, http) + numbered.slice(numbered.indexOf('events:\n') + 8),
    );
  });

  it('are played to clients of their own, and each of them has to come', async () => {
    const one = [...session(1), on(3, call(1, 'add')), on(3, answer(1))];
    const two = [...session(1), on(3, call(1, 'echo')), on(3, answer(1))];
    const file = join(folder, 'sessions.yaml');
    writeFileSync(file, merge(text(one, http), text(two, http)).text);
    const { calls, findings } = await sdkReplay(file, 'http');
    expect([calls.length, findings]).toEqual([2, []]);

    const mock = await mockServer({ cassette: file, over: 'http' });
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(mock.url)) as Transport);
    await client.callTool({ name: 'add' });
    await client.close();
    const outcome = await mock.finish();
    expect(outcome.failed).toBe(true);
    expect(outcome.findings.map(({ text }) => text).join()).toMatch(/3 recorded messages never came:.*"echo"/s);
  });

  it('of several servers or revisions are refused', () => {
    const at = (url: string) => text(session(1), `${http}url: ${url}\n`);
    expect(() => merge(at('https://a.example/mcp'), at('https://b.example/mcp'))).toThrow(
      /its server is at https:\/\/b/,
    );
    const other = session(1).map((event) => event.replaceAll('2025-11-25', '2025-06-18'));
    expect(() => merge(text(session(1), http), text(other, http))).toThrow(/its revision is 2025-06-18/);
  });

  it('of 2026-07-28 are none: what both ask at first is kept once', () => {
    const meta =
      '_meta: { io.modelcontextprotocol/protocolVersion: 2026-07-28, io.modelcontextprotocol/clientCapabilities: {} }';
    const discover = [
      on(1, `- client: { id: 0, method: server/discover, params: { ${meta} } }`),
      on(1, '- server: { id: 0, result: { resultType: complete, supportedVersions: [2026-07-28], capabilities: {} } }'),
    ];
    const calls = (stream: number, tool: string) => [on(stream, call(1, tool, `, ${meta}`)), on(stream, answer(1))];
    const { text: merged } = merge(
      text([...discover, ...calls(2, 'a')], http),
      text([...discover, ...calls(2, 'b')], http),
    );
    expect(merged).toBe(text([...discover, ...calls(2, 'a'), ...calls(4, 'b')], http));
  });
});
