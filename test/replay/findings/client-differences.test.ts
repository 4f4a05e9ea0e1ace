import { describe, expect, it } from 'vitest';
import { META } from '../../../src/protocol/meta.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { maskSecrets } from '../../../src/redact/replace/mask-for-compare.ts';
import {
  call,
  cassette as cassetteOf,
  client,
  notification,
  type PlayOptions,
  play,
  request,
  result,
  server,
} from '../../support/conversation.ts';

const capabilities = { roots: { listChanged: true }, sampling: {} };
const initialize = (params: object = {}) =>
  request(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'one', version: '1' },
    ...params,
  });
const asks = (method: string) => request(0, method);
const answers = (outcome: object) => ({ jsonrpc: '2.0', id: 0, ...outcome });

const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } };
const asking = cassetteOf(
  client(call(1, 'ask')),
  server(asks('sampling/createMessage')),
  client(answers({ result: sampled })),
  server(result(1, 'answered')),
);

/** What is found where the live client says `messages` to the server of `cassette`. */
function found(cassette: Parameters<typeof play>[0], messages: unknown[], options?: PlayOptions): string[][] {
  const session = play(cassette, options);
  session.says(...messages);
  session.clock.advance(1);
  session.player.finish();
  return session.findings.map(({ kind, text }) => [kind, text]);
}

describe('a placeholder that this replay gave the client', () => {
  const SECRET = '[redacted:customer:1]';
  const say = (id: number, name: string, args: object = {}) => request(id, 'tools/call', { name, arguments: args });
  const ignore = [maskSecrets(createRedactor({ env: {}, rules: [{ pattern: 'CUST-\\d+', name: 'customer' }] }))];
  const session = cassetteOf(
    client(say(1, 'owner')),
    server(result(1, `Owner is ${SECRET}`)),
    client(say(2, 'customer', { number: SECRET })),
    server(result(2, 'Ada')),
  );
  const get = (number: string) => say(2, 'customer', { number });

  it('has to be sent: another value is a miss, as it is for an id', () => {
    expect(found(session, [say(1, 'owner'), get(SECRET)], { ignore })).toEqual([]);
    const [[kind, text] = [], ...others] = found(session, [say(1, 'owner'), get('CUST-1111')], { ignore });
    expect(kind).toBe('miss');
    expect(text).toContain(`An earlier answer gave the client ${SECRET}, and the client sends another value.`);
    expect(text).toContain('Have the client send what the answer had.');
    expect(text).toContain('--secrets-from-env customer.');
    expect(others.map(([one]) => one)).toEqual(['unused']);
  });

  it('may be any value where the client sent one before, or asked for no answer with it', () => {
    expect(found(session, [get('CUST-1111'), say(1, 'owner')], { ignore })).toEqual([]);
    const twice = cassetteOf(
      client(say(1, 'customer', { number: SECRET })),
      server(result(1, `Customer ${SECRET}`)),
      client(say(2, 'customer', { number: SECRET, again: true })),
      server(result(2, 'Ada')),
    );
    const both = (number: string) => [say(1, 'customer', { number }), say(2, 'customer', { number, again: true })];
    expect(found(twice, both('CUST-1111'), { ignore })).toEqual([]);
    expect(found(twice, both(SECRET), { ignore })).toEqual([]);
  });

  it('is the own one of a client that the cassette has as its first sender', () => {
    const own = cassetteOf(
      client(say(1, 'login', { number: SECRET })),
      server(result(1, 'in')),
      client(say(2, 'me')),
      server(result(2, SECRET)),
      client(say(3, 'login', { number: SECRET, again: true })),
      server(result(3, 'in')),
    );
    const later = { number: 'CUST-1111', again: true };
    expect(
      found(own, [say(2, 'me'), say(3, 'login', later), say(1, 'login', { number: 'CUST-1111' })], { ignore }),
    ).toEqual([]);
  });
});

describe('the answer of a client to a request of the server', () => {
  it('is silent where it is the recorded one, in another order of keys, with other metadata', () => {
    const { content, ...rest } = sampled;
    expect(found(asking, [call(1, 'ask'), answers({ result: { content, ...rest, _meta: { trace: 1 } } })])).toEqual([]);
  });

  it.each([
    [
      'another text',
      { result: { ...sampled, content: { type: 'text', text: 'no' } } },
      '/result/content/text ("yes" → "no")',
    ],
    ['a member less', { result: { role: 'assistant', content: sampled.content } }, '/result/model ("m" → nothing)'],
    ['an error', { error: { code: -1, message: 'no' } }, '/result ('],
  ])('is reported with %s', (_, outcome, difference) => {
    const [[kind, text] = [], ...more] = found(asking, [call(1, 'ask'), answers(outcome)]);
    expect([kind, more]).toEqual(['differs', []]);
    expect(text).toContain('cassette.yaml:3 The client answered sampling/createMessage differently: ');
    expect(text).toContain(difference);
  });

  it('does not count where it is ignored', () => {
    const other = { result: { ...sampled, model: 'other' } };
    expect(found(asking, [call(1, 'ask'), answers(other)], { ignore: ['/result/model'] })).toEqual([]);
  });

  it('is reported where the specification forbids it, whatever is ignored', () => {
    const other = { result: { ...sampled, content: 'just text' } };
    const [[kind, text] = [], ...more] = found(asking, [call(1, 'ask'), answers(other)], {
      ignore: ['/result/content'],
    });
    expect([kind, more]).toEqual(['differs', []]);
    expect(text).toMatch(
      /^cassette.yaml:3 The client has answered sampling\/createMessage with a bad result: its content /,
    );
    expect(found(asking, [call(1, 'ask'), answers(other)])).toEqual([
      [
        'differs',
        expect.stringMatching(/:3 The client answered .* differently: .*\. It is a bad result, too: its content /),
      ],
    ]);
  });

  it('is reported where it has a secret that stands for another placeholder', () => {
    const ask = (id: number, n: number) => request(id, 'tools/call', { name: 'ask', arguments: { of: customerOf(n) } });
    const customerOf = (n: number) => `CUST-[redacted:customer:${n}]`;
    const says = (text: string) => answers({ result: { ...sampled, content: { type: 'text', text } } });
    const session = cassetteOf(
      client(ask(1, 1)),
      server(asks('sampling/createMessage')),
      client(says(customerOf(2))),
      server(result(1, 'answered')),
    );
    const rules = [{ pattern: 'CUST-(\\d+)', name: 'customer' }];
    const ignore = [maskSecrets(createRedactor({ env: {}, rules }))];
    const live = (text: string) => {
      const asked = request(1, 'tools/call', { name: 'ask', arguments: { of: 'CUST-1111' } });
      const [guessed, ...others] = found(session, [asked, says(text)], { ignore });
      expect(guessed?.[0]).toBe('guessed');
      return others;
    };
    expect(live('CUST-2222')).toEqual([]);
    expect(live('CUST-1111')).toEqual([
      [
        'differs',
        'cassette.yaml:3 The client answered sampling/createMessage differently. The client sends for [redacted:customer:2] the value that it sent for [redacted:customer:1]. It differs at: /result/content/text ("CUST-[redacted:customer:2]" → "CUST-[redacted:customer:1]")',
      ],
    ]);
  });

  it('is reported where the cassette has none', () => {
    const unanswered = cassetteOf(
      client(call(1, 'ask')),
      server(asks('sampling/createMessage')),
      server(result(1, 'done')),
    );
    expect(found(unanswered, [call(1, 'ask'), answers({ result: sampled })])).toEqual([
      ['differs', 'cassette.yaml:2 The client answered sampling/createMessage, which it does not in the cassette.'],
    ]);
  });

  it('of roots is compared by the last step of a file, which lies elsewhere on each machine', () => {
    const roots = (...uris: string[]) => answers({ result: { roots: uris.map((uri) => ({ uri })) } });
    const listing = cassetteOf(
      client(call(1, 'a')),
      server(asks('roots/list')),
      client(roots('file:///home/a/project')),
      server(result(1, 'A')),
    );
    expect(found(listing, [call(1, 'a'), roots('file:///ci/build/project/')])).toEqual([]);
    expect(found(listing, [call(1, 'a'), roots('file:///home/a/other')]).flat()).toContain('differs');
    expect(found(listing, [call(1, 'a'), roots('https://example.com/project')]).flat()).toContain('differs');
    expect(found(listing, [call(1, 'a'), roots()]).flat()).toContain('differs');
  });
});

describe('initialize', () => {
  const opening = cassetteOf(client(initialize()), server(result(0, 'hello')));

  it('has the places that differ, for ignore rules', () => {
    const session = play(opening);
    session.says(initialize({ capabilities: { later: {} } }));
    expect(session.findings).toMatchObject([
      { differsAt: expect.arrayContaining([expect.stringMatching(/^\/params\/capabilities\//)]) },
    ]);
  });

  it('is silent where the client is called otherwise: that does not change what a server does', () => {
    expect(found(opening, [initialize({ clientInfo: { name: 'two', version: '2' } })])).toEqual([]);
  });

  it.each([
    [
      'a capability less',
      { capabilities: { sampling: {} } },
      '/params/capabilities/roots ({"listChanged":true} → nothing)',
    ],
    [
      'a capability more',
      { capabilities: { ...capabilities, elicitation: {} } },
      '/params/capabilities/elicitation (nothing → {})',
    ],
    ['another revision', { protocolVersion: '2025-06-18' }, '/params/protocolVersion ("2025-11-25" → "2025-06-18")'],
  ])('is reported with %s', (_, params, difference) => {
    expect(found(opening, [initialize(params)])).toEqual([
      ['differs', `cassette.yaml:1 The client sent initialize differently: ${difference}`],
    ]);
  });
});

it('a request of 2026-07-28 is reported once, however often it says other capabilities', () => {
  const modern = (id: number, own: object) =>
    request(id, 'tools/call', {
      name: 'a',
      _meta: { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: own },
    });
  const cassette = cassetteOf(
    client(modern(1, {})),
    server(result(1, 'A')),
    client(modern(2, {})),
    server(result(2, 'A')),
  );
  const [[kind, text] = [], ...more] = found(cassette, [modern(1, { sampling: {} }), modern(2, { sampling: {} })]);
  expect([kind, more]).toEqual(['differs', []]);
  expect(text).toContain('/params/_meta/io.modelcontextprotocol~1clientCapabilities/sampling (nothing → {})');
});

it('a call that asks for no progress any more is reported', () => {
  const cassette = cassetteOf(client(call(1, 'a', {}, 't')), server(result(1, 'A')));
  expect(found(cassette, [call(1, 'a', {}, 'other token')])).toEqual([]);
  expect(found(cassette, [call(1, 'a', {})])).toEqual([
    [
      'differs',
      'cassette.yaml:1 The client sent tools/call "a" differently: /params/_meta/progressToken ("present" → nothing)',
    ],
  ]);
});

describe('a notification', () => {
  const telling = cassetteOf(client(call(1, 'a')), client(notification('roots/list_changed')), server(result(1, 'A')));

  it('that never comes is reported as unused', () => {
    expect(found(telling, [call(1, 'a'), notification('roots/list_changed')])).toEqual([]);
    expect(found(telling, [call(1, 'a')])).toEqual([
      ['unused', '1 recorded message never came:\n    cassette.yaml:2 notifications/roots/list_changed'],
    ]);
  });

  it('that comes twice is reported once', () => {
    const twice = [call(1, 'a'), notification('roots/list_changed'), notification('roots/list_changed')];
    expect(found(telling, twice)).toEqual([
      ['unrecorded', 'The client sent notifications/roots/list_changed, which cassette.yaml does not have here.'],
    ]);
  });
});

describe('a message that servers do not read', () => {
  const called = (params: object) => ({
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: {} },
    ...params,
  });
  const answered = cassetteOf(client(call(1, 'ask')), server(result(1, 'yes')));

  it.each([
    ['no version of JSON-RPC', called({}), 'a message without "jsonrpc": "2.0"'],
    ['another version of JSON-RPC', called({ jsonrpc: '1.0' }), 'a message without "jsonrpc": "2.0"'],
    ['a batch', [call(1, 'ask')], 'a batch'],
  ])('is found: %s', (_what, message, words) => {
    expect(found(answered, [message])).toEqual([
      ['differs', expect.stringContaining(`The client sent ${words}, which servers do not read`)],
    ]);
  });

  it('is no batch where the client sent some in the cassette', () => {
    const batched = cassetteOf(client([call(1, 'ask')]), server(result(1, 'yes')));
    expect(found(batched, [[call(1, 'ask')]])).toEqual([]);
  });
});
