import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import type { Params, Request } from '../../../src/protocol/message.ts';
import { inferredResponse } from '../../../src/replay/match/inferred-responses.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const calls = [
  client(call(1, 'add', { a: 1 })),
  server(result(1, '1')),
  client(call(2, 'add', { a: 2 })),
  client(request(3, 'prompts/get', { name: 'greet', arguments: { who: 'Bo' } })),
  client(request(4, 'prompts/get', { name: 'plain' })),
  client(request(5, 'resources/read', { uri: 'a:b' })),
];

function answer(
  method: string,
  frames: readonly Frame[] = calls,
  { params, ...as }: { params?: Params; modern?: boolean; isHandWritten?: boolean } = {},
) {
  const { entries } = { entries: eventsToEntries(cassette(...frames).events) };
  const asked: Request = request('live', method, params);
  const made = inferredResponse(asked, {
    entries,
    file: 'cassettes/adder.yaml',
    modern: false,
    isHandWritten: true,
    ...as,
  });
  return made?.result;
}

describe('a cassette that was written by hand', () => {
  it('answers initialize from what it shows, in the revision of its client', () => {
    expect(answer('initialize', calls, { params: { protocolVersion: '2025-06-18' } })).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'adder', version: '0.0.0' },
    });
  });

  it.each([undefined, '2026-07-28', '1999-01-01', 7])(
    'offers the newest of its era to a client of %s',
    (protocolVersion) => {
      expect(answer('initialize', calls, { params: { protocolVersion } })).toMatchObject({
        protocolVersion: '2025-11-25',
      });
    },
  );

  it('lists each thing once that its calls name', () => {
    expect(answer('tools/list')).toEqual({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] });
    expect(answer('prompts/list')).toEqual({
      prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }, { name: 'plain' }],
    });
    expect(answer('resources/list')).toEqual({ resources: [{ uri: 'a:b', name: 'a:b' }] });
    expect(answer('resources/templates/list')).toEqual({ resourceTemplates: [] });
  });

  it('says what a list of 2026-07-28 must say', () => {
    expect(answer('tools/list', calls, { modern: true })).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it.each([
    ['a list of what it does not call', 'tools/list', []],
    ['what no list is', 'completion/complete', calls],
    ['a list that it has', 'tools/list', [client(request(0, 'tools/list')), ...calls]],
    ['initialize where it has that', 'initialize', [client(request(0, 'initialize')), ...calls]],
  ] as [string, string, Frame[]][])('makes up nothing for %s', (_, method, frames) => {
    expect(answer(method, frames)).toBeUndefined();
  });

  it('has no handshake in 2026-07-28', () => {
    expect(answer('initialize', calls, { modern: true })).toBeUndefined();
  });
});

describe('a recording', () => {
  const recorded = { isHandWritten: false };

  it('that begins in the middle is answered alike', () => {
    expect(answer('initialize', calls, recorded)).toBeDefined();
    expect(answer('tools/list', calls, recorded)).toBeDefined();
  });

  it('from the beginning has what its client asked, and no more', () => {
    const whole = [client(request(0, 'initialize')), ...calls];
    expect(answer('tools/list', whole, recorded)).toBeUndefined();
    expect(answer('tools/list', calls, { ...recorded, modern: true })).toBeUndefined();
  });
});

it('says what was made up, and from which file', () => {
  const asked = {
    entries: eventsToEntries(cassette(...calls).events),
    file: 'cassettes/adder.yaml',
    modern: false,
  };
  const said = (method: string) => inferredResponse(request(1, method), asked)!.text;
  expect(said('initialize')).toBe(
    'cassettes/adder.yaml has no initialize: answered with 2025-11-25 and what the cassette shows (capabilities: tools, prompts, resources).',
  );
  expect(said('tools/list')).toBe(
    'cassettes/adder.yaml has no tools/list: answered from the calls that it has. Record a session, or write the list.',
  );
});
