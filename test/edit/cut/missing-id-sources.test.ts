import { describe, expect, it } from 'vitest';
import { type CutOptions, keepSelectedEvents } from '../../../src/edit/cut/keep-selected-events.ts';

const call = (id: number, name: string, args: string) =>
  `- client: { id: ${id}, method: tools/call, params: { name: ${name}, arguments: { ${args} } } }`;
const answer = (id: number, text: string) =>
  `- server: { id: ${id}, result: { content: [{ type: text, text: '${text}' }] } }`;
/** The order is at line 3; the two calls that send its id, at lines 5 and 7. */
const SHOP = [
  'format: mcp-record/1',
  'events:',
  call(1, 'order', 'item: tea'),
  answer(1, 'Order ord_8f3a'),
  call(2, 'status', 'order: ord_8f3a'),
  answer(2, 'ord_8f3a: tea'),
  call(3, 'status', 'order: ord_8f3a'),
  answer(3, 'ord_8f3a: tea'),
  '',
].join('\n');

const warnings = (selection: CutOptions['selection'], drop = false) =>
  keepSelectedEvents(SHOP, 'shop.yaml', { selection, drop }).warnings;
const lines = (line: number) => [{ first: line, last: line }];

const WARNING =
  'tools/call "status" (line 5) and 1 more sends "ord_8f3a", which tools/call "order" (line 3) returned, and that call is cut away. A server that makes up its ids will not know it.';

describe('a cut that removes the call whose id a kept call sends', () => {
  it('names both calls, and the options that keep the earlier one', () => {
    expect(warnings({ tools: ['status'] })).toEqual([
      `${WARNING} Keep it as well: add --tool order, if the file is for verify.`,
    ]);
    expect(warnings({ tools: ['status'], lines: [{ first: 5, last: 7 }] })).toEqual([
      `${WARNING} Keep it as well: add --tool order --lines 3, if the file is for verify.`,
    ]);
    expect(warnings({ lines: lines(7) })[0]).toMatch(/^tools\/call "status" \(line 7\) sends .*: add --lines 3, if/);
  });

  it('says to remove less where the selection is removed', () => {
    expect(warnings({ tools: ['order'] }, true)).toEqual([`${WARNING} Remove less, if the file is for verify.`]);
  });

  it('says nothing if both calls stay, or the earlier one alone', () => {
    expect(warnings({ tools: ['order', 'status'] })).toEqual([]);
    expect(warnings({ tools: ['order'] })).toEqual([]);
    expect(warnings({ lines: lines(7) }, true)).toEqual([]);
  });
});
