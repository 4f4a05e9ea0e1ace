import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { diffSessions } from '../../../src/diff/diff-sessions.ts';
import { troublesOf } from '../../../src/html-report/browser/search-query.ts';
import { buildReport } from '../../../src/html-report/data/build-report-data.ts';
import { call, cassette, client, request, server, stderr } from '../../support/conversation.ts';

const session = (id: number, ...tools: object[]) =>
  cassette(client(request(id, 'tools/list')), server({ id, result: { tools } }));
const tool = (name: string, description: string, required: string[] = []) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required },
});
const differencesBetween: NonNullable<Parameters<typeof buildReport>[1]>['differencesBetween'] = (before, after) =>
  diffSessions(before, after).entries;

it('an answer says what changed in it for callers, and the view how much of it hurts', () => {
  const before = session(1, tool('add', 'Adds', []), tool('gone', 'Goes'));
  const after = session(2, tool('add', 'Sums', ['a']));
  const [{ facts, items } = { facts: [], items: [] }] = buildReport([before, after], {
    differencesBetween,
  }).views;
  expect(facts).toEqual(['1 difference', '1 changed', 'for callers: 2 breaking, 1 cosmetic, in 1 answer']);
  expect(items.map((item) => item.callers?.map(({ severity }) => severity))).toEqual([
    undefined,
    ['breaking', 'breaking', 'cosmetic'],
  ]);
  expect(items[1]!.callersInBrief).toMatch(
    /^breaking: tool "gone" was removed, tool "add": .* \(and 1 more cosmetic\)$/,
  );
  expect(troublesOf(items[1]!)).toContain('breaking');
  expect(troublesOf(items[0]!)).not.toContain('breaking');
});

it('of three sessions the first is compared with each of the others', () => {
  const cassettes = [session(1, tool('a', '')), session(1, tool('a', '')), session(1, tool('a', ''), tool('b', ''))];
  const { views } = buildReport(cassettes, { differencesBetween });
  expect(views.map(({ facts, kind }) => (kind === 'differences' ? facts : []))).toEqual([
    ['0 differences'],
    ['1 difference', '1 changed', 'for callers: 1 compatible, in 1 answer'],
    [],
    [],
    [],
  ]);
});

it('words of a server stay in their line', () => {
  const [view] = buildReport([session(1, tool('a', '')), session(1, tool('a\u202e\nb', ''))], {
    differencesBetween,
  }).views;
  const [told] = view?.items[1]?.callers ?? [];
  expect(told?.reason).toContain('a\\u202e\\nb');
  expect(told?.reason).not.toMatch(/[\u202e\n]/);
});

it('there are as many differences as diff finds, and what it does not compare is not marked as other', () => {
  const said = (id: number, text: string, log: string) => [
    client(call(id, 'a')),
    server({ id, result: { content: [{ type: 'text', text }], nextCursor: log } }),
    stderr(log),
  ];
  const refused: Frame[] = [
    { ...client(call(3, 'b')), stream: 1 },
    { kind: 'http-response', at: 0, from: 'server', stream: 1, status: 503 },
  ];
  const before = cassette(...said(1, 'x', '12:00'), ...said(2, 'y', '12:01'), ...refused);
  const after = cassette(...said(1, 'x', '13:00'), ...said(2, 'z', '13:01'), ...refused);
  const [{ facts, items } = { facts: [], items: [] }] = buildReport([before, after], {
    differencesBetween,
  }).views;
  expect(facts).toEqual(['1 difference', '1 changed']);
  expect(items.flatMap(({ line, change }) => (change ? [[line, change.kind]] : []))).toEqual([[5, 'changed']]);
});

it('a page of a list that is other is marked, though diff tells of the list by its first page', () => {
  const page = (id: number, cursor: string | undefined, name: string, nextCursor?: string) => [
    client(request(id, 'tools/list', cursor ? { cursor } : undefined)),
    server({ id, result: { tools: [tool(name, '')], ...(nextCursor && { nextCursor }) } }),
  ];
  const pages = (name: string) => cassette(...page(1, undefined, 'a', 'c'), ...page(2, 'c', name));
  const [{ facts, items } = { facts: [], items: [] }] = buildReport([pages('b'), pages('d')], {
    differencesBetween,
  }).views;
  expect(facts.slice(0, 1)).toEqual(['1 difference']);
  expect(items.map(({ change }) => change?.kind)).toEqual([undefined, undefined, undefined, 'changed']);
});

it('a call more is one difference, though its answer is a row of its own', () => {
  const said = (id: number, name: string) => [client(call(id, name)), server({ id, result: { content: [] } })];
  const [view] = buildReport([cassette(...said(1, 'a')), cassette(...said(1, 'a'), ...said(2, 'b'))], {
    differencesBetween,
  }).views;
  expect([view?.differences, view?.facts]).toEqual([1, ['1 difference', '1 new']]);
  expect(view?.items.filter(({ change }) => change)).toHaveLength(2);
});
