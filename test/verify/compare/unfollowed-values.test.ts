import { describe, expect, it } from 'vitest';
import { unfollowedNotes } from '../../../src/verify/compare/unfollowed-values.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
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
