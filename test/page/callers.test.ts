import { expect, it } from 'vitest';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { troublesOf } from '../../src/page/browser/query.ts';
import { pageOf } from '../../src/page/page.ts';
import { client, request, server, tape } from '../support/conversation.ts';

const session = (id: number, ...tools: object[]) =>
  tape(client(request(id, 'tools/list')), server({ id, result: { tools } }));
const tool = (name: string, description: string, required: string[] = []) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required },
});
const callersChanges: NonNullable<Parameters<typeof pageOf>[1]>['callersChanges'] = (before, after) =>
  diffSessions(before, after).entries;

it('an answer says what changed in it for callers, and the view how much of it hurts', () => {
  const before = session(1, tool('add', 'Adds', []), tool('gone', 'Goes'));
  const after = session(2, tool('add', 'Sums', ['a']));
  const [{ facts, items } = { facts: [], items: [] }] = pageOf([before, after], { callersChanges }).views;
  expect(facts).toEqual(['1 difference', '2 breaking', '1 cosmetic']);
  expect(items.map((item) => item.callers?.map(({ severity }) => severity).sort())).toEqual([
    undefined,
    ['breaking', 'breaking', 'cosmetic'],
  ]);
  expect(troublesOf(items[1]!)).toContain('breaking');
  expect(troublesOf(items[0]!)).not.toContain('breaking');
});

it('of three sessions the first is compared with each of the others', () => {
  const tapes = [
    session(1, tool('a', '')),
    session(1, tool('a', '')),
    session(1, tool('a', ''), tool('b', '')),
  ];
  const { views } = pageOf(tapes, { callersChanges });
  expect(views.map(({ facts, kind }) => (kind === 'differences' ? facts : []))).toEqual([
    ['0 differences'],
    ['1 difference', '1 compatible'],
    [],
    [],
    [],
  ]);
});

it('words of a server stay in their line', () => {
  const [view] = pageOf([session(1, tool('a', '')), session(1, tool('a\u202e\nb', ''))], {
    callersChanges,
  }).views;
  const [told] = view?.items[1]?.callers ?? [];
  expect(told?.reason).toContain('a\\u202e\\nb');
  expect(told?.reason).not.toMatch(/[\u202e\n]/);
});
