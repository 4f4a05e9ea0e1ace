import { describe, expect, it } from 'vitest';
import { listChanges } from '../../src/contract/compare-item-lists.ts';
import { LISTS } from '../../src/protocol/method-table.ts';

const said = (method: string, recorded: unknown, live: unknown) => {
  const list = LISTS.get(method)!;
  return listChanges(list, { [list.field]: recorded }, { [list.field]: live }).map(
    ({ severity, reason, path }) => `${severity}: ${reason} (${path})`,
  );
};
const tools = (recorded: unknown, live: unknown) => said('tools/list', recorded, live);
const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, description: `does ${name}` }));

describe('listChanges', () => {
  it('says nothing of the same list', () => {
    expect(tools([a, b], [a, b])).toEqual([]);
  });

  it('tells what was removed and what is new', () => {
    expect(tools([a, b], [a, c])).toEqual([
      'breaking: tool "b" was removed (/result/tools/1)',
      'compatible: new tool "c" (/result/tools/1)',
    ]);
  });

  it('fails an item that came twice, and takes that for no other order', () => {
    expect(tools([a, b], [a, b, a, b, a])).toEqual([
      'breaking: tool "a" came twice (/result/tools/2)',
      'breaking: tool "b" came twice (/result/tools/3)',
    ]);
    expect(tools([a, a, b], [a, b, a])).toEqual([]);
  });

  it('tells items with the same ignored URI apart by their names', () => {
    const resources = (recorded: unknown, live: unknown) => said('resources/list', recorded, live);
    const note = (name: string, more = {}) => ({ uri: 'note:[ignored]', name, ...more });
    expect(resources([note('a'), note('b')], [note('a'), note('b')])).toEqual([]);
    expect(resources([note('a'), note('b')], [note('a'), note('b', { description: 'new' })])).toEqual([
      'cosmetic: resource "note:[ignored] b": new description (/result/resources/1/description)',
    ]);
    expect(resources([note('a'), note('b')], [note('b')])).toEqual([
      'breaking: resource "note:[ignored] a" was removed (/result/resources/0)',
    ]);
    expect(resources([note('a')], [note('a'), note('b')])).toEqual([
      'compatible: new resource "note:[ignored] b" (/result/resources/1)',
    ]);
    expect(resources([note('a'), note('b')], [note('a'), note('b'), note('b')])).toEqual([
      'breaking: resource "note:[ignored] b" came twice (/result/resources/2)',
    ]);
  });

  it('knows a renamed tool by all that stayed the same', () => {
    expect(tools([a, b], [{ ...a, name: 'z', title: 'Z' }, b])).toEqual([
      'breaking: tool "a" was renamed to "z" (/result/tools/0)',
    ]);
  });

  it('takes items that have nothing but a name for different ones', () => {
    expect(tools([{ name: 'a' }], [{ name: 'z' }])).toHaveLength(2);
  });

  it('tells of another order once, and finds changes in spite of it', () => {
    expect(tools([a, b], [{ ...b, description: 'more' }, a])).toEqual([
      'cosmetic: tool "b": description changed (/result/tools/0/description)',
      'cosmetic: the order of the tools changed (/result/tools)',
    ]);
    expect(tools([a, b], [c, a, b])).toEqual(['compatible: new tool "c" (/result/tools/0)']);
  });

  it.each([
    ['title', 'cosmetic'],
    ['annotations', 'cosmetic'],
    ['icons', 'cosmetic'],
    ['_meta', 'cosmetic'],
    ['execution', 'breaking'],
  ])('judges another %s as %s', (field, severity) => {
    expect(tools([{ ...a, [field]: 1 }], [{ ...a, [field]: 2 }])).toEqual([
      `${severity}: tool "a": ${field} changed (/result/tools/0/${field})`,
    ]);
  });

  it('judges a field that is new or gone', () => {
    expect(tools([a], [{ ...a, more: 1 }])).toEqual(['compatible: tool "a": new more (/result/tools/0/more)']);
    expect(tools([{ ...a, execution: 1 }], [a])).toEqual([
      'breaking: tool "a": execution was removed (/result/tools/0/execution)',
    ]);
  });

  it.each<[unknown, string]>([
    [{ taskSupport: 'required' }, 'breaking'],
    [{ taskSupport: 'else' }, 'breaking'],
    [{ taskSupport: 'optional', more: true }, 'breaking'],
    [1, 'breaking'],
    [{ taskSupport: 'optional' }, 'compatible'],
    [{ taskSupport: 'forbidden' }, 'compatible'],
    [{}, 'compatible'],
  ])('judges a new execution %j as %s', (execution, severity) => {
    expect(tools([a], [{ ...a, execution }])).toEqual([
      `${severity}: tool "a": new execution (/result/tools/0/execution)`,
    ]);
  });

  it('calls tasks that are now required breaking', () => {
    for (const execution of [{}, { taskSupport: 'optional' }, { taskSupport: 'forbidden' }])
      expect(tools([{ ...a, execution }], [{ ...a, execution: { taskSupport: 'required' } }])).toEqual([
        'breaking: tool "a": execution changed (/result/tools/0/execution/taskSupport)',
      ]);
  });

  it('reads schemas: the input as callers write it, the output as they read it', () => {
    const schema = (...names: string[]) => ({ enum: names });
    expect(tools([{ ...a, inputSchema: schema('x', 'y') }], [{ ...a, inputSchema: schema('x') }])).toEqual([
      'breaking: tool "a": value "y" is no longer allowed (/result/tools/0/inputSchema/enum)',
    ]);
    expect(tools([{ ...a, outputSchema: schema('x', 'y') }], [{ ...a, outputSchema: schema('x') }])).toEqual([
      'compatible: tool "a": value "y" is no longer allowed (/result/tools/0/outputSchema/enum)',
    ]);
    expect(tools([a], [{ ...a, outputSchema: {} }])).toEqual([
      'compatible: tool "a": new outputSchema (/result/tools/0/outputSchema)',
    ]);
  });

  it('reads the arguments of prompts', () => {
    const prompt = (...args: unknown[]) => [{ name: 'p', arguments: args }];
    expect(
      said(
        'prompts/list',
        prompt({ name: 'x' }, { name: 'y', required: true }),
        prompt({ name: 'x', required: true }, { name: 'z', required: true }),
      ),
    ).toEqual([
      'breaking: prompt "p": argument "y" was removed (/result/prompts/0/arguments)',
      'breaking: prompt "p": new required argument "z" (/result/prompts/0/arguments)',
      'breaking: prompt "p": argument "x" is now required (/result/prompts/0/arguments)',
    ]);
  });

  it('tells resources apart by URI, and templates by theirs', () => {
    const resources = [
      { uri: 'file:///a', name: 'same' },
      { uri: 'file:///b', name: 'same' },
    ];
    expect(said('resources/list', resources, resources.slice(1))).toEqual([
      'breaking: resource "file:///a" was removed (/result/resources/0)',
    ]);
    expect(said('resources/templates/list', [{ uriTemplate: 'x://{y}', size: 1, mimeType: 'a' }], [])).toEqual([
      'breaking: resource template "x://{y}" was removed (/result/resourceTemplates/0)',
    ]);
  });

  it('calls deliveries that are gone, or no list, breaking', () => {
    const event = (delivery: unknown) => [{ name: 'e', delivery }];
    for (const delivery of [[], {}, 'poll'])
      expect(said('events/list', event(['poll']), event(delivery))).toEqual([
        'breaking: event type "e": delivery changed (/result/events/0/delivery)',
      ]);
  });

  it('finds nothing in what is no list', () => {
    expect(tools('none', 7)).toEqual([]);
    expect(tools([1, null], ['x'])).toEqual([]);
  });
});
