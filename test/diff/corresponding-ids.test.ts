import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import type { Params } from '../../src/protocol/message.ts';
import { call, client, notification, server } from '../support/conversation.ts';
import { a, b } from './cassettes.ts';

type Step = readonly [name: string, args: Params, result: unknown];

const says = (text: string, structuredContent?: unknown) => ({
  content: [{ type: 'text', text }],
  ...(structuredContent !== undefined && { structuredContent }),
});

/** Calls that follow each other, with their results. */
const calls = (...steps: Step[]) =>
  steps.flatMap(([name, args, result], index) => [
    client(call(index, name, args)),
    server({ jsonrpc: '2.0', id: index, result }),
  ]);

const compare = (before: readonly Step[], after: readonly Step[], ignore: readonly (RegExp | string)[] = []) =>
  diffSessions(a(...calls(...before)), b(...calls(...after)), ignore);

/** Two orders, and the state of the second one, which the server tells of `told`. */
const orders = (first: string, second: string, told = second, text = 'milk'): Step[] => [
  ['order', { what: 'tea' }, says(`Order ${first}`, { id: first })],
  ['order', { what: 'milk' }, says(`Order ${second}`, { id: second })],
  ['status', { id: second }, says(`${told}: ${text}`)],
  ['status', { id: first }, says(`${first}: tea`)],
];

const FORMS: readonly (readonly [string, string, string, string])[] = [
  ['ord_8f3a61c0', 'ord_73d1f9e2', 'ord_11aa22bb', 'ord_99cc00dd'],
  ['order-00017', 'order-00018', 'order-00041', 'order-00042'],
  [
    '1e3b5c7d-0000-4000-8000-000000000001',
    '1e3b5c7d-0000-4000-8000-000000000002',
    '9e3b5c7d-0000-4000-8000-00000000000a',
    '9e3b5c7d-0000-4000-8000-00000000000b',
  ],
  ['aBcDefGhijKlAb1d', 'bBcDefGhijKlAb2d', 'cBcDefGhijKlAb3d', 'dBcDefGhijKlAb4d'],
];

describe.each(FORMS)('ids such as %s, which the client sends back,', (a1, a2, b1, b2) => {
  it('correspond to those of another recording', () => {
    expect(compare(orders(a1, a2), orders(b1, b2))).toMatchObject({
      same: 4,
      entries: [],
      notes: [
        `The server made up other ids, which are shown as in the first session: "${a1}" is now "${b1}", "${a2}" is now "${b2}".`,
      ],
    });
  });

  it('differ where an answer has that of another order', () => {
    const { entries } = compare(orders(a1, a2), orders(b1, b2, b1));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ title: 'tools/call "status"', a: 5, b: 5 });
    expect(entries[0]!.headline).toContain(
      `/result/content/0/text has the id of another tools/call "order": "${b1}", not "${b2}"`,
    );
    expect(entries[0]).not.toHaveProperty('hasAllChanges');
  });

  it('are named where the text around them has changed, too', () => {
    const { entries } = compare(orders(a1, a2), orders(b1, b2, b1, 'cocoa'));
    expect(entries).toHaveLength(1);
    expect(entries[0]!.headline).toContain(`has the id of another tools/call "order": "${b1}", not "${b2}"`);
  });

  it('differ where only expressions leave them out', () => {
    const ignore = [/\b[-\w]{8,}/];
    expect(compare(orders(a1, a2), orders(b1, b2), ignore).entries).toEqual([]);
    const { entries } = compare(orders(a1, a2), orders(b1, b2, b1), ignore);
    expect(entries).toMatchObject([{ kind: 'changed', title: 'tools/call "status"' }]);
    expect(entries[0]!.headline).toContain(`"${b1}", not "${b2}"`);
    expect(entries[0]!.before).not.toEqual(entries[0]!.after);
  });

  it('do not differ where a pointer leaves out their place', () => {
    expect(compare(orders(a1, a2), orders(b1, b2, b1), ['/result/content/0/text']).entries).toEqual([]);
  });

  it('hide no other change of the texts', () => {
    const { entries } = compare(orders(a1, a2), orders(b1, b2, b2, 'cocoa'));
    expect(entries).toHaveLength(1);
    expect(entries[0]!.headline).toMatch(/^\/result\/content\/0\/text \(".*: milk" → ".*: cocoa"\)$/);
  });

  it('differ where the client asks for another one', () => {
    const wrong = orders(b1, b2).with(2, ['status', { id: b1 }, says(`${b2}: milk`)]);
    const { entries } = compare(orders(a1, a2), wrong);
    expect(entries.map(({ headline }) => headline).join('\n')).toContain(
      `asks otherwise: /params/arguments/id has the id of another tools/call "order": "${b1}", not "${b2}"`,
    );
  });

  it('differ where one answer has two', () => {
    const torn = orders(b1, b2).with(1, ['order', { what: 'milk' }, says(`Order ${b2}`, { id: b1 })]);
    expect(compare(orders(a1, a2), torn).entries).toMatchObject([{ title: 'tools/call "order"', a: 3 }]);
  });

  it('correspond in overlapping calls that have changed places', () => {
    const [one, two, , last] = orders(b1, b2);
    const swapped = [two!, one!, last!, orders(b1, b2)[2]!];
    const { entries } = compare(orders(a1, a2), swapped);
    expect(entries.filter(({ kind }) => kind !== 'moved')).toEqual([]);
  });
});

describe('an id of the first session', () => {
  it('is another one if the second session has it for something else', () => {
    const shifted = orders('ord_00002', 'ord_00003');
    expect(compare(orders('ord_00001', 'ord_00002'), shifted).entries).toEqual([]);
    // "ord_00002" is as recorded, and stands for the first order here.
    const { entries } = compare(orders('ord_00001', 'ord_00002'), orders('ord_00002', 'ord_00003', 'ord_00002'));
    expect(entries).toHaveLength(1);
    expect(entries[0]!.headline).toContain('has the id of another tools/call "order": "ord_00002", not "ord_00003"');
  });

  it('is another one if it stands for nothing in the second session', () => {
    const { entries } = compare(orders('ord_00001', 'ord_00002'), orders('ord_00007', 'ord_00008', 'ord_00002'));
    expect(entries).toHaveLength(1);
    expect(entries[0]!.headline).toContain('has another id: "ord_00002", not "ord_00008"');
  });

  it('keeps its type', () => {
    const numbered = (id: number | string): Step[] => [
      ['order', {}, says('done', { id })],
      ['status', { id }, says('tea')],
    ];
    expect(compare(numbered(48213), numbered(99117)).entries).toEqual([]);
    expect(compare(numbered(48213), numbered('99117')).entries).toHaveLength(2);
  });

  it('corresponds in URIs, JSON texts and notifications', () => {
    const session = (id: string) => [
      ...calls(
        ['order', {}, says(`{"uri":"order://${id}","at":"2026-11-26"}`)],
        ['read', { uri: `order://${id}` }, says('tea')],
        ['status', { id }, says('tea')],
      ),
      server(notification('resources/updated', { uri: `order://${id}` })),
    ];
    const [one, other] = [a(...session('ord_8f3a61c0')), b(...session('ord_73d1f9e2'))];
    expect(diffSessions(one, other)).toMatchObject({ entries: [], same: 4 });
    const wrong = b(
      ...session('ord_73d1f9e2').slice(0, -1),
      server(notification('resources/updated', { uri: 'order://ord_00000000' })),
    );
    expect(diffSessions(one, wrong).entries).toHaveLength(1);
  });

  it('corresponds through a long chain of calls', () => {
    const chain = (prefix: string) =>
      Array.from(
        { length: 40 },
        (_, n): Step => [
          'next',
          n === 0 ? {} : { token: `${prefix}${1000 + n}` },
          says(n < 39 ? `${prefix}${1001 + n}` : 'end'),
        ],
      );
    expect(compare(chain('a'), chain('b')).entries).toEqual([]);
  });
});

describe('an id that both sessions have', () => {
  const search = (...ids: string[]): Step => ['search', {}, says('found', { hits: ids.map((id) => ({ id })) })];
  const get = (id: string, name: string): Step => ['get', { id }, says(name)];

  it('is no other one, although another id stands in its place', () => {
    const before = [search('cus_1003'), get('cus_1003', 'Marta')];
    const after = [search('cus_1001', 'cus_1003'), get('cus_1001', 'Hilde'), get('cus_1003', 'Marta')];
    const found = compare(before, after);
    expect(found).toMatchObject({ same: 1, notes: [] });
    expect(found.entries).toMatchObject([
      { kind: 'changed', title: 'tools/call "search"' },
      { kind: 'new', title: 'tools/call "get"', b: 3 },
    ]);
    const back = compare(after, before);
    expect(back).toMatchObject({ same: 1, notes: [] });
    expect(back.entries.map(({ kind }) => kind)).toEqual(['changed', 'gone']);
  });

  it('is no other one if only an answer of the other session has it', () => {
    const after = [search('cus_1001', 'cus_1003'), get('cus_1001', 'Hilde')];
    const { entries, notes } = compare([search('cus_1003'), get('cus_1003', 'Marta')], after);
    expect(notes).toEqual([]);
    expect(entries.map(({ headline }) => headline).join()).toContain('asks otherwise');
  });

  it('leaves the other ids to their counterparts', () => {
    const session = (order: string, ...ids: string[]): Step[] => [
      ['order', {}, says(`Order ${order}`, { id: order })],
      ['status', { id: order }, says('tea')],
      search(...ids),
      ...ids.map((id) => get(id, `name of ${id}`)),
    ];
    const { same, notes } = compare(
      session('ord_8f3a61c0', 'cus_1003'),
      session('ord_73d1f9e2', 'cus_1001', 'cus_1003'),
    );
    expect(same).toBe(3);
    expect(notes.join()).toMatch(/: "ord_8f3a61c0" is now "ord_73d1f9e2"\.$/);
  });
});

describe('a value that the client does not send back', () => {
  const constant = (value: string): Step[] => [
    ['about', {}, says(`Build ${value}`, { version: value })],
    ['add', { x: 1 }, says('2')],
  ];

  it.each([
    ['1.4.2', '1.4.3'],
    ['12.99', '13.99'],
    ['ord_8f3a61c0', 'ord_73d1f9e2'],
    ['48213', '48214'],
  ])('is no id if it never comes again: %s', (before, after) => {
    expect(compare(constant(before), constant(after)).entries).toHaveLength(1);
  });

  it.each([
    ['1.4.2', '1.4.3'],
    ['12.99', '13.99'],
    ['48213', '48214'],
    ['model-2024-11', 'model-2025-01'],
    ['build1234', 'build1235'],
  ])('is no id without a random form, although it comes again: %s', (before, after) => {
    const twice = (value: string) => [...constant(value), ['other', {}, says(`Build ${value}`)] as const];
    expect(compare(twice(before), twice(after)).entries).toHaveLength(2);
  });

  it('is an id of a random form if answers to other requests repeat it', () => {
    const twice = (id: string, listed = id): Step[] => [
      ['order', {}, says(`Order ${id}`)],
      ['list', {}, says(`${listed}: tea`)],
    ];
    expect(compare(twice('ord_8f3a61c0'), twice('ord_73d1f9e2')).entries).toEqual([]);
    const { entries } = compare(twice('ord_8f3a61c0'), twice('ord_73d1f9e2', 'ord_00d1f9e2'));
    expect(entries.length).toBeGreaterThan(0);
  });

  it('is no id if equal requests have it, which may be computed', () => {
    const twice = (digest: string): Step[] => [
      ['hash', { text: 'a' }, says(digest)],
      ['hash', { text: 'a' }, says(digest)],
    ];
    expect(compare(twice('8f3a61c08f3a61c0'), twice('73d1f9e273d1f9e2')).entries).toHaveLength(2);
  });
});

describe('a price, a version or another measure', () => {
  const used = (value: string): Step[] => [
    ['order', {}, says('done', { value })],
    ['pay', { value }, says('paid')],
    ['log', { text: `it was ${value}.` }, says('logged')],
  ];

  it.each([
    ['12.99', '13.99'],
    ['1,299.00', '1,399.00'],
    ['$12.99', '$13.99'],
    ['$1,299', '$1,399'],
    ['-US$12.99', '-US$13.99'],
    ['12,99€', '13,99€'],
    ['EUR12.99', 'EUR13.99'],
    ['12.99USD', '13.99USD'],
    ['1.2.3', '1.2.4'],
    ['v1.2.3', 'v1.2.4'],
    ['V1.20', 'V1.21'],
    ['1.2.3', 'v1.2.4'],
    ['1.2.3-rc.1', '1.2.3-rc.2'],
    ['1.2.3-beta20261129', '1.2.3-beta20261130'],
    ['1.2.3+5', '1.2.3+6'],
    ['1.2.3+build.20261129', '1.2.3+build.20261130'],
    ['v1.2.3-4-g8f3a61c', 'v1.2.3-5-g73d1f9e'],
    ['1.2.3rc1', '1.2.3rc2'],
    ['1.2.3.dev4', '1.2.3.dev5'],
    ['2026.11', '2026.12'],
    ['v2026.11', 'v2027.11'],
    ['^1.2.3', '^1.2.4'],
    ['weather@1.2.3', 'weather@1.2.4'],
    ['125ms', '250ms'],
    ['1234ms', '2345ms'],
    ['1h30m', '1h45m'],
    ['PT1H30M', 'PT1H45M'],
    ['1.5GB', '2.5GB'],
    ['99.95%', '99.90%'],
  ])('is no id, although the client sends it back: %s', (before, after) => {
    const { entries, notes } = compare(used(before), used(after));
    expect([entries.length, notes]).toEqual([3, []]);
  });

  it.each([
    ['ORD12345', 'ORD12346'],
    ['A1.5.8f3a61c0', 'A1.5.73d1f9e2'],
    ['P8D3K1', 'P7D2K4'],
    ['12ms8f3a', '13ms73d1'],
  ])('is not an id that resembles one: %s', (before, after) => {
    expect(compare(used(before), used(after)).entries).toEqual([]);
  });

  it('takes no id of the other session', () => {
    expect(compare(used('order-17'), used('v1.2.4')).entries.length).toBeGreaterThan(0);
  });
});
