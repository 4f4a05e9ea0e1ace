import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { describeSessionEntry } from '../../src/text-report/describe-session-entry.ts';
import { call, cassette, client, notification, progress, request, server, stderr } from '../support/conversation.ts';

const sayOf = (frame: Parameters<typeof cassette>[0]) => {
  const { what, detail } = describeSessionEntry(eventsToEntries(cassette(frame).events)[0]!);
  return detail === undefined ? what : `${what} | ${detail}`;
};

describe('a message in a line', () => {
  it.each([
    [
      'names the tool and its arguments',
      client(call(1, 'add', { a: 1, b: 2.5 })),
      'tools/call "add" | {"a":1,"b":2.5}',
    ],
    ['leaves out empty arguments and _meta', client(call(1, 'add', {}, 7)), 'tools/call "add"'],
    ['names the resource', client(request(1, 'resources/read', { uri: 'demo://x' })), 'resources/read "demo://x"'],
    ['keeps other params', client(request(1, 'tools/list', { cursor: '' })), 'tools/list | {"cursor":""}'],
    ['has nothing more to say of a ping', client(request(1, 'ping')), 'ping'],
    [
      'joins the blocks of a result',
      server({
        id: 1,
        result: {
          content: [
            { type: 'text', text: 'a\nb' },
            { type: 'image', mimeType: 'image/png', data: 'AAAA' },
            { type: 'resource_link', uri: 'demo://x' },
          ],
        },
      }),
      'result | a\nb, image image/png, 4 characters of base64, resource_link demo://x',
    ],
    [
      'counts and names what a list holds',
      server({ id: 1, result: { tools: [{ name: 'a', inputSchema: {} }, { name: 'b' }] } }),
      'result | 2 tools: a, b',
    ],
    [
      'names templates by their pattern',
      server({ id: 1, result: { resourceTemplates: [{ name: 'T', uriTemplate: 'x/{y}' }] } }),
      'result | 1 resourceTemplate: T',
    ],
    [
      'shows any other result',
      server({ id: 1, result: { completion: { values: ['x'] } } }),
      'result | {"completion":{"values":["x"]}}',
    ],
    [
      'shows the one block of a sampled message',
      client({ id: 1, result: { role: 'assistant', model: 'm', content: { type: 'text', text: 'Roses' } } }),
      'result | Roses',
    ],
    [
      'shows what was filled into a form',
      client({ id: 1, result: { action: 'accept', content: { name: 'Ada' } } }),
      'result | {"action":"accept","content":{"name":"Ada"}}',
    ],
    ['shows an empty result as one', server({ id: 1, result: {} }), 'result'],
    [
      'shows an error',
      server({ id: null, error: { code: -32700, message: 'Parse error' } }),
      'error -32700 | Parse error',
    ],
    ['counts progress', server(progress(1, 2)), 'progress | 2'],
    [
      'counts progress of a total, with its message',
      server(notification('progress', { progressToken: 1, progress: 2, total: 4, message: 'half' })),
      'progress | 2 of 4: half',
    ],
    [
      'reads a log',
      server(notification('message', { level: 'info', logger: 'db', data: { rows: 3 } })),
      'log | info db: {"rows":3}',
    ],
    [
      'gives the reason of a cancel',
      client(notification('cancelled', { requestId: 1, reason: 'too slow' })),
      'cancelled | too slow',
    ],
    [
      'names an updated resource',
      server(notification('resources/updated', { uri: 'demo://x' })),
      'resources/updated | {"resource":"demo://x"}',
    ],
    [
      'shows a list that is no list of named things',
      server({ id: 1, result: { rows: [1, 2] } }),
      'result | {"rows":[1,2]}',
    ],
    ['shows standard error', stderr('ready'), 'stderr | ready'],
    [
      'marks a line cut off',
      { ...stderr('rea'), partial: true } as ReturnType<typeof stderr>,
      'stderr (cut off) | rea',
    ],
    [
      'counts bytes that are not text',
      { kind: 'line', at: 0, from: 'server', on: 'protocol', data: Uint8Array.of(255, 254) } as const,
      'not JSON-RPC | 2 bytes that are not text',
    ],
  ] as const)('%s', (_, frame, said) => {
    expect(sayOf(frame)).toBe(said);
  });
});

describe('an exchange of an authorization flow', () => {
  const exchange = (value: object): Frame => ({
    kind: 'authorization',
    at: 0,
    from: 'client',
    json: new JsonText(JSON.stringify({ url: 'https://a.example/', ...value })),
  });

  it.each([
    [
      'its request and its response',
      { request: 'oauth/token', status: 200, response: { a: 1 } },
      'oauth/token, 200 | {"a":1}',
    ],
    ['that there was no response', { request: 'oauth/token' }, 'oauth/token, no response'],
    [
      'the refused call, and its challenge',
      { request: 'mcp', method: 'tools/call', tool: 'add', status: 403, challenge: 'Bearer' },
      'tools/call "add", 403 | Bearer',
    ],
  ])('names %s', (_, value, text) => {
    expect(sayOf(exchange(value))).toBe(`authorization: ${text}`);
  });
});
