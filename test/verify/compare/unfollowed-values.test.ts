import { describe, expect, it } from 'vitest';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { lostValues, unfollowedNotes } from '../../../src/verify/compare/unfollowed-values.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const said = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** The notes of a session whose second call sends `sent`. */
async function notes(recorded: object, answered: object, rules: string[], sent: object, before: object[] = []) {
  const session = cassette(
    ...before.flatMap((args, index) => [client(call(10 + index, 'a', { ...args })), server(said(10 + index, {}))]),
    client(call(1, 'open')),
    server(said(1, recorded)),
    client(call(2, 'close', { ...sent })),
    server(said(2, text('closed'))),
  );
  const at = 2 * before.length + 1;
  session.events[at] = { ...session.events[at]!, match: { ignore: rules } };
  const { driven } = await live(session, (one) => [one.id === 1 ? said(1, answered) : one]);
  return unfollowedNotes(driven, []);
}

describe('a value that a rule leaves out, and that a later request sends as recorded', () => {
  const NOTE =
    /^The value ".+" of the answer at line 2 was sent as recorded at line 3, since it does not look like an id\. /;

  it('is noted where it is a short number, a word or a whole text', async () => {
    const cart = (cart: number) => ({ structuredContent: { cart } });
    const pointer = '/result/structuredContent/cart';
    expect(await notes(cart(7), cart(9), [pointer], { copies: 7 })).toEqual([expect.stringMatching(NOTE)]);
    expect(await notes(cart(7), cart(9), [pointer], { copies: 7 })).toEqual([
      expect.stringContaining(`handles: [{ capture: '${pointer}', use: '/params/arguments/copies' }]`),
    ]);
    const words = [text('Order abcd is placed'), text('Order wxyz is placed')] as const;
    expect(await notes(...words, ['/Order \\w+/'], { id: 'abcd' })).toEqual([expect.stringContaining('"abcd"')]);
    expect(await notes(text('abcd'), text('wxyz'), ['/[a-z]+/'], { id: 'abcd' })).toEqual([
      expect.stringContaining('"abcd"'),
    ]);
  });

  it('is not noted where it is followed, stays the same, was sent before, or no rule leaves it out', async () => {
    const order = (id: string) => text(`Order ${id} is placed`);
    const rule = ['/Order \\w+/'];
    expect(await notes(order('ord_8f3a'), order('ord_1111'), rule, { id: 'ord_8f3a' })).toEqual([]);
    expect(await notes(order('abcd'), order('abcd'), rule, { id: 'abcd' })).toEqual([]);
    expect(await notes(order('abcd'), order('wxyz'), rule, { id: 'efgh' })).toEqual([]);
    expect(await notes(order('abcd'), order('wxyz'), rule, { id: 'abcd' }, [{ id: 'abcd' }])).toEqual([]);
    expect(await notes(order('abcd'), order('wxyz'), ['/is \\w+/'], { id: 'abcd' })).toEqual([]);
  });
});

describe('a value that a later request sends, at a place that a rule leaves out', () => {
  const next = (nextCursor?: unknown) => ({ structuredContent: { items: [1], nextCursor } });
  const POINTER = '/result/structuredContent/nextCursor';

  /** Compares a first answer; the second call sends the cursor. */
  async function compared(answered: object, { rules = [POINTER], recorded = next('283489e71ca0-2') as object } = {}) {
    const session = cassette(
      client(call(1, 'list')),
      server(said(1, recorded)),
      client(call(2, 'list', { cursor: '283489e71ca0-2' })),
      server(said(2, next())),
    );
    session.events[1] = { ...session.events[1]!, match: { ignore: rules } };
    const { driven } = await live(session, (one) => [one.id === 1 ? said(1, answered) : one]);
    const { steps, notes } = compareSession({ file: 'a.yaml', driven });
    const failed = steps.flatMap(({ status, headline = '', details = [] }) =>
      status === 'failed' ? [[headline, ...details].join('; ')] : [],
    );
    return { failed, notes: notes.filter((note) => note.includes('as recorded')) };
  }

  it('may be another one, and must be there with its type', async () => {
    expect(await compared(next('1a0dc26cf146-2'))).toEqual({ failed: [], notes: [] });
    for (const [value, state] of [
      [undefined, 'gone'],
      [null, 'null'],
      [7, 'a number'],
      [['1a0dc26cf146-2'], 'a list'],
      [{}, 'an object'],
      [true, 'a boolean'],
    ])
      expect((await compared(next(value))).failed).toEqual([
        `${POINTER} is ${state}, and tools/call "list" (line 3) sends what was there`,
      ]);
  });

  it('must be at both places that have it, unless the rule is for the object around one', async () => {
    const both = (value: unknown, id: string) => ({ ...text(`more: ${id}`), ...next(value) });
    const recorded = both('283489e71ca0-2', '283489e71ca0-2');
    const answered = both(null, '1a0dc26cf146-2');
    const rules = ['/more: [\\w-]+/', POINTER];
    expect((await compared(answered, { recorded, rules })).failed).toEqual([expect.stringContaining('is null')]);
    expect((await compared(answered, { recorded, rules: [rules[0]!, '/result/structuredContent'] })).failed).toEqual(
      [],
    );
  });

  it('is noted with the reason that it was sent as recorded', async () => {
    const SENT =
      '"283489e71ca0-2" was sent as recorded at /params/arguments/cursor of tools/call "list" (line 3), because';
    expect((await compared(next())).notes).toEqual([
      `${SENT} ${POINTER} is gone in the answer to tools/call "list" (line 1).`,
    ]);
    const words = (id: string) => text(`the rest is at ${id}`);
    const { notes } = await compared(text('no more'), { recorded: words('283489e71ca0-2'), rules: [] });
    expect(notes).toEqual([`${SENT} the text around it has changed in the answer to tools/call "list" (line 1).`]);
  });

  it('of a list is noted, too, where the live list has another item in its place', async () => {
    const uri = (id: string) => `doc://${id}-e97d-43ed-8d95-217951a23afd`;
    const list = (name: string, id: string) => said(1, { resources: [{ name, uri: uri(id) }] });
    const session = cassette(
      client(request(1, 'resources/list')),
      server(list('tea', 'efd85924')),
      client(request(2, 'resources/read', { uri: uri('efd85924') })),
      server(said(2, { contents: [] })),
    );
    const { driven } = await live(session, (one) => [one.id === 1 ? list('milk', '0451639c') : one]);
    const { notes } = compareSession({ file: 'a.yaml', driven });
    expect(notes.filter((note) => note.includes('as recorded'))).toEqual([
      `"${uri('efd85924')}" was sent as recorded at /params/uri of resources/read "${uri('efd85924')}" (line 3), because an item with another name is at /result/resources/0/uri in the answer to resources/list (line 1).`,
    ]);
  });

  it('says nothing more of an answer that is an error', async () => {
    const session = cassette(
      client(call(1, 'list')),
      server(said(1, next('283489e71ca0-2'))),
      client(call(2, 'list', { cursor: '283489e71ca0-2' })),
      server(said(2, next())),
    );
    session.events[1] = { ...session.events[1]!, match: { ignore: [POINTER] } };
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'broken' } };
    const { driven } = await live(session, (one) => [one.id === 1 ? error : one]);
    expect(lostValues(driven.exchanges[0]!, driven, [])).toEqual([]);
  });
});
