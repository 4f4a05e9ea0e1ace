import { describe, expect, it } from 'vitest';
import {
  type ReplacedValue,
  replacedBefore,
  replacedValueNotes,
  replacedValues,
  withRecordedValues,
} from '../../../src/verify/compare/server-made-values.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const said = (id: number, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
const order = cassette(
  client(call(1, 'order')),
  server(said(1, 'Order ord_8f3a')),
  client(call(2, 'status', { order: 'ord_8f3a' })),
  server(said(2, 'ord_8f3a: tea')),
);

const run = async (id: string) => {
  const { driven } = await live(order, ({ id: asked }) => [
    said(Number(asked), asked === 1 ? `Order ${id}` : `${id}: tea`),
  ]);
  return driven;
};

describe('a value that a live server made up anew', () => {
  it('is known with the answer that returned it and the request that sent it, and noted', async () => {
    const driven = await run('ord_1111');
    expect(replacedValues(driven)).toMatchObject([{ recorded: 'ord_8f3a', live: 'ord_1111' }]);
    expect(replacedValueNotes(driven)).toEqual([
      expect.stringMatching(
        /^tools\/call "order" .* returned "ord_1111" in place of "ord_8f3a": sent so at \/params\/arguments\/order of tools\/call "status" /,
      ),
    ]);
    const [value] = replacedValues(driven);
    const [first, second] = [driven.plan.entries[0]!, driven.plan.entries[2]!];
    expect([replacedBefore(first, [value!]), replacedBefore(second, [value!])]).toEqual([[], [value]]);
  });

  it('is noted once where a part of it looks like an id, too, and an answer may repeat the part', async () => {
    const session = cassette(
      client(call(1, 'open')),
      server({ jsonrpc: '2.0', id: 1, result: { structuredContent: { session: 'sess-he2b49ct' } } }),
      client(call(2, 'close', { session: 'sess-he2b49ct' })),
      server(said(2, 'closed he2b49ct')),
    );
    const { driven } = await live(session, ({ id }) => [
      id === 1
        ? { jsonrpc: '2.0', id, result: { structuredContent: { session: 'sess-k31fz0aa' } } }
        : said(Number(id), 'closed k31fz0aa'),
    ]);
    expect(replacedValueNotes(driven)).toEqual([
      expect.stringContaining('"sess-k31fz0aa" in place of "sess-he2b49ct"'),
    ]);
    expect(withRecordedValues('closed he2b49ct', 'closed k31fz0aa', replacedValues(driven))).toBe('closed he2b49ct');
  });

  it('that is the recorded one is none', async () => {
    expect(replacedValues(await run('ord_8f3a'))).toEqual([]);
  });
});

describe('an answer that repeats it', () => {
  const replaced = [
    { recorded: 'ord_8f3a', live: 'ord_1111' },
    { recorded: '4711001', live: '5000002' },
  ] as unknown as ReplacedValue[];
  const recorded = { list: ['id ord_8f3a', 'x'], ticket: 4_711_001, other: 4_711_001 };

  it('has the recorded value there', () => {
    const answer = { list: ['id ord_1111', 'x'], ticket: 5_000_002, other: 7 };
    expect(withRecordedValues(recorded, answer, replaced)).toEqual({ ...recorded, other: 7 });
  });

  it('keeps another value, and the live one where the recorded answer has something else', () => {
    const answer = { list: ['id ord_9999', 'ord_1111'], ticket: '5000002', new: 'ord_1111' };
    expect(withRecordedValues(recorded, answer, replaced)).toEqual(answer);
    expect(withRecordedValues(recorded, answer, [])).toBe(answer);
  });
});
