import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { maskSecrets } from '../../../src/redact/replace/mask-for-compare.ts';
import { nearMissOf } from '../../../src/replay/match/near-miss.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { cassette, client, request, result, server } from '../../support/conversation.ts';
import { workOf } from '../../support/work.ts';

const get = (id: number, args: object) => request(id, 'tools/call', { name: 'get', arguments: args });
const customer = (n: number) => `CUST-[redacted:customer:${n}]`;
const { events } = cassette(
  ...[1, 2].flatMap((n) => [client(get(n, { id: customer(n) })), server(result(n, `customer ${n}`))]),
  client(get(3, { a: customer(1), b: customer(2) })),
  server(result(3, 'both')),
);

function matcher() {
  const { entries, links } = planServer(events);
  const redactor = createRedactor({ env: {}, rules: [{ pattern: 'CUST-(\\d+)', name: 'customer' }] });
  return new RequestMatcher({ entries, links, side: 'client', ignore: [maskSecrets(redactor)], happened: () => true });
}

const taken = (one: RequestMatcher, args: object) =>
  (one.take(new JsonText(JSON.stringify(get(9, args))))?.entry.message as { id?: number } | undefined)?.id;

it('a client that repeats a placeholder gets the answer for its number, in any order', () => {
  const one = matcher();
  expect(taken(one, { id: customer(2) })).toBe(2);
  expect(taken(one, { id: customer(1) })).toBe(1);
  expect(taken(one, { id: customer(1) })).toBeUndefined();
});

it('a placeholder with a number that the cassette has not matches nothing', () => {
  expect(taken(matcher(), { id: customer(7) })).toBeUndefined();
  expect(taken(matcher(), { a: customer(2), b: customer(1) })).toBeUndefined();
  expect(taken(matcher(), { b: customer(2), a: customer(1) })).toBe(3);
});

it('a secret matches every placeholder, since its number is not known, also beside a placeholder', () => {
  expect(taken(matcher(), { id: 'CUST-5' })).toBe(1);
  expect(taken(matcher(), { a: customer(1), b: 'CUST-5' })).toBe(3);
});

it('one recorded request matches by its own number only', () => {
  const one = matcher();
  const live = new JsonText(JSON.stringify(get(9, { id: customer(2) })));
  expect(one.requests.map((each) => one.matches(each, live))).toEqual([false, true, false]);
  expect(one.has(live)).toBe(true);
  expect(one.has(new JsonText(JSON.stringify(get(9, { id: customer(3) }))))).toBe(false);
});

const CUSTOMERS = [{ pattern: 'CUST-(\\d+)', name: 'customer' }];
const [A, B] = ['CUST-1111', 'CUST-2222'];

/** A matcher of calls with these arguments, in this order. */
function recorded(...calls: object[]) {
  const session = cassette(
    ...calls.flatMap((args, index) => [client(get(index + 1, args)), server(result(index + 1, 'done'))]),
  );
  const { entries, links } = planServer(session.events);
  const redactor = createRedactor({ env: {}, rules: CUSTOMERS });
  const mask = maskSecrets(redactor);
  return new RequestMatcher({ entries, links, side: 'client', ignore: [mask], happened: () => true });
}

describe('a live value', () => {
  it('stands for the placeholder that it was first matched with, and for no other', () => {
    const one = recorded({ id: customer(1) }, { id: customer(2) });
    expect(taken(one, { id: A })).toBe(1);
    expect(taken(one, { id: A })).toBeUndefined();
    expect(taken(one, { id: B })).toBe(2);
  });

  it('is not matched by a placeholder that stands for another value', () => {
    const one = recorded({ id: customer(1) }, { name: 'x', id: customer(1) });
    expect(taken(one, { id: A })).toBe(1);
    expect(taken(one, { name: 'x', id: B })).toBeUndefined();
    expect(taken(one, { name: 'x', id: A })).toBe(2);
  });

  it('is matched by the request that is next in order, if no binding decides', () => {
    const one = recorded({ id: customer(1) }, { id: customer(2) }, { more: customer(2) }, { more: customer(1) });
    expect(taken(one, { id: B })).toBe(1);
    expect(taken(one, { id: A })).toBe(2);
    expect(taken(one, { more: B })).toBe(4);
    expect(taken(one, { more: A })).toBe(3);
  });

  it('is matched in any order once it is bound', () => {
    const one = recorded(
      { login: customer(1) },
      { login: customer(2) },
      { id: customer(1) },
      { id: customer(2) },
      { id: customer(1) },
    );
    expect([taken(one, { login: A }), taken(one, { login: B })]).toEqual([1, 2]);
    expect(['id', 'id', 'id'].map((key, n) => taken(one, { [key]: [B, A, A][n] }))).toEqual([4, 3, 5]);
    expect(taken(one, { id: B })).toBeUndefined();
  });

  it('stands for one placeholder also within a message', () => {
    expect(taken(recorded({ a: customer(1), b: customer(2) }), { a: A, b: A })).toBeUndefined();
    expect(taken(recorded({ a: customer(1), b: customer(1) }), { a: A, b: B })).toBeUndefined();
    expect(taken(recorded({ a: customer(1), b: customer(1) }), { a: A, b: A })).toBe(1);
  });

  it('is bound in base64, too', () => {
    const base64 = (text: string) => Buffer.from(`{"customer of the shop": "${text}"}`).toString('base64');
    const one = recorded({ id: customer(1) }, { id: customer(2) }, { data: base64(customer(2)) });
    expect([taken(one, { id: A }), taken(one, { id: B })]).toEqual([1, 2]);
    expect(taken(one, { data: base64(A) })).toBeUndefined();
    expect(taken(one, { data: base64(B) })).toBe(3);
  });

  it('is not bound where it is ignored', () => {
    const calls = [{ id: customer(1) }, { id: customer(2) }].flatMap((args, n) => [
      client(get(n + 1, args)),
      server(result(n + 1, 'done')),
    ]);
    const { entries, links } = planServer(cassette(...calls).events);
    const ignore = ['/params/arguments/id', maskSecrets(createRedactor({ env: {}, rules: CUSTOMERS }))];
    const one = new RequestMatcher({ entries, links, side: 'client', ignore, happened: () => true });
    expect([taken(one, { id: A }), taken(one, { id: A })]).toEqual([1, 2]);
  });

  it('is compared itself where the cassette has a value that a rule matches', () => {
    const one = recorded({ id: A }, { id: customer(1) });
    expect(taken(one, { id: B })).toBe(2);
    expect(taken(one, { id: A })).toBe(1);
    expect(taken(recorded({ id: A }, { other: customer(1) }), { id: B })).toBeUndefined();
  });
});

it('a list that repeats its answer is repeated for its own value only', () => {
  const list = (id: number, cursor: string) => request(id, 'tools/list', { cursor });
  const { entries, links } = planServer(
    cassette(
      ...[1, 2].flatMap((n) => [
        client(list(n, customer(n))),
        server({ jsonrpc: '2.0', id: n, result: { tools: [] } }),
      ]),
    ).events,
  );
  const ignore = [maskSecrets(createRedactor({ env: {}, rules: CUSTOMERS }))];
  const one = new RequestMatcher({ entries, links, side: 'client', ignore, happened: () => true });
  const page = (cursor: string) =>
    (one.take(new JsonText(JSON.stringify(list(9, cursor))))!.entry.message as { id: number }).id;
  expect([page(A), page(A), page(B), page(A), page(B)]).toEqual([1, 1, 2, 1, 2]);
});

it('a long session is matched in time that grows with its length', () => {
  const work = (count: number) => {
    const one = recorded(...Array.from({ length: count }, (_, n) => ({ id: customer(n + 1) })));
    return workOf(() => {
      for (let n = 0; n < count; n++) expect(taken(one, { id: `CUST-${n + 1_000}` })).toBe(n + 1);
    });
  };
  expect(work(400)).toBeLessThan(6 * work(100));
});

describe('the miss of a value that stands for another placeholder', () => {
  const missed = (one: RequestMatcher, args: object) => {
    const live = new JsonText(JSON.stringify(get(9, args)));
    expect(one.take(live)).toBeUndefined();
    const { text, ...miss } = nearMissOf({
      live: one.identify(live),
      params: get(9, args).params,
      requests: one.requests,
      file: 'crm.yaml',
      withOtherSecrets: one.withOtherSecrets(live),
      secretDifferences: (recorded) => one.secretDifferences(recorded, live),
    });
    expect(JSON.stringify([text, miss])).not.toMatch(/1111|2222|3333/);
    return { text, ...miss };
  };

  it('names both placeholders, and what to do', () => {
    const one = recorded({ id: customer(1) }, { id: customer(2) });
    taken(one, { id: A });
    const { text, expected, actual, varies } = missed(one, { id: A });
    expect(text).toBe(
      [
        'Cannot answer tools/call "get": no recorded call matches. Closest:',
        '    crm.yaml:3 tools/call "get" differs at /params/arguments/id ("CUST-[redacted:customer:2]" → "CUST-[redacted:customer:1]")',
        '  The client sends for [redacted:customer:2] the value that it sent for [redacted:customer:1].',
        '  In one session, a placeholder stands for one value. Correct the client. Ignore only what differs in every run: --ignore /params/arguments/id',
      ].join('\n'),
    );
    expect(varies).toBe('/params/arguments/id');
    expect([expected, actual]).toEqual(
      [2, 1].map((n) => ({ method: 'tools/call', params: { name: 'get', arguments: { id: customer(n) } } })),
    );
  });

  it('says that a placeholder stands for another value', () => {
    const one = recorded({ id: customer(1) }, { name: 'x', id: customer(1) });
    taken(one, { id: A });
    expect(missed(one, { name: 'x', id: B }).text).toContain(
      '("CUST-[redacted:customer:1]" → "CUST-[another value]")\n  The client sends for [redacted:customer:1] another value than before.',
    );
  });

  it('of a third value says what differs from the used calls', () => {
    const one = recorded({ id: customer(1) }, { id: customer(2) });
    for (const id of [A, B]) taken(one, { id });
    const { text } = missed(one, { id: 'CUST-3333' });
    expect(text).toContain('(already used) differs at /params/arguments/id');
    expect(text).not.toContain('every matching recorded call');
  });

  it('of a value whose call is used says so', () => {
    const one = recorded({ id: customer(1) });
    taken(one, { id: A });
    expect(missed(one, { id: A }).text).toContain('every matching recorded call was already used');
  });
});
