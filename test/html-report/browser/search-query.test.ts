import { expect, it } from 'vitest';
import { matches, readQuery, troublesOf, withTerm, wordsOf } from '../../../src/html-report/browser/search-query.ts';
import { sessionView } from '../../../src/html-report/data/session-view.ts';
import { call, cancel, cassette, client, request, result, server, stderr } from '../../support/conversation.ts';

const { items } = sessionView(
  cassette(
    client(call(7, 'echo', { text: 'Hello there' })),
    server({ id: 7, error: { code: -1, message: 'not found' } }),
    server(request('7', 'roots/list')),
    client(result('7', 'fine')),
    stderr('hello'),
  ),
);
const found = (text: string) =>
  [...items.entries()].flatMap(([index, item]) => (matches(item, readQuery(text)) ? index : []));

it.each([
  ['', [0, 1, 2, 3, 4]],
  ['HELLO', [0, 4]],
  ['"not found"', [1]],
  ['hello there', [0]],
  ['method:tools', [0, 1]],
  ['tool:echo not', [1]],
  ['id:7 from:client', [0, 3]],
  ['is:error', [0, 1]],
  ['is:question', [2]],
  ['line:5', [4]],
  ['tool:', [0, 1, 2, 3, 4]],
  ['is:pending', []],
  ['stream:1', []],
  ['"two', []],
  ['"http://x"', []],
  ['-hello', [1, 2, 3]],
  ['-is:error -from:client', [2, 4]],
  ['-"not found" tool:echo', [0]],
  ['line:1 line:5', [0, 4]],
  ['is:err', [0, 1]],
  ['size:>50', [0, 3]],
  ['size:<50 size:>40', [2]],
  ['took:<1', [0, 1, 2, 3]],
  ['took:>1s', []],
])('%s finds events %j', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

it('a call that was cancelled is found by its time, one that was never answered by none', () => {
  const { items: calls } = sessionView(
    cassette(client(call(1, 'a')), client(call(2, 'b')), client(cancel(1), 700), stderr('the end')),
  );
  const foundBy = (text: string) => calls.filter((item) => matches(item, readQuery(text))).map(({ name }) => name);
  expect(foundBy('took:>500')).toEqual(['a']);
  expect(foundBy('took:<1s')).toEqual(['a']);
});

it('an item of a timeline is found by the beginning of its server, and others by none', () => {
  const origin = { server: 'Weather (a.yaml)', session: 0, position: 0 };
  const isFound = (text: string) => [{ ...items[0]!, origin }, items[0]!].map((one) => matches(one, readQuery(text)));
  expect(isFound('server:wea')).toEqual([true, false]);
  expect(isFound('server:"weather (a.yaml)"')).toEqual([true, false]);
  expect(isFound('-server:wea')).toEqual([false, true]);
});

it('an item is found by each thing that is wrong with it, and by the stream it came on', () => {
  const [item] = items;
  const troubled = {
    ...item!,
    stream: 3,
    fate: 'pending' as const,
    failed: true,
    change: 'added' as const,
    marks: [
      { kind: 'fault', title: 'cut' },
      { kind: 'error', title: 'lint' },
    ],
  } as unknown as Parameters<typeof troublesOf>[0];
  expect(troublesOf(troubled)).toEqual(['error', 'pending', 'fault', 'lint', 'changed']);
  for (const text of ['is:pending', 'is:fault', 'is:lint', 'is:changed', 'stream:3'])
    expect(matches(troubled, readQuery(text)), text).toBe(true);
  expect(matches(item!, readQuery('stream:3'))).toBe(false);
});

it.each([
  ['foo:bar hello', 'foo: is no field.', [0, 4]],
  ['constructor:x', 'constructor: is no field.', [0, 1, 2, 3, 4]],
  ['http://x', 'need quotes: "http://x"', [0, 1, 2, 3, 4]],
  ['is:nonsense', 'is:nonsense finds nothing. Write is: and error, cancelled,', [0, 1, 2, 3, 4]],
  ['from:nobody', 'client or server', [0, 1, 2, 3, 4]],
  ['took:100', '>100, <20 or >1.5s', [0, 1, 2, 3, 4]],
  ['size:>1furlong', '>1000', [0, 1, 2, 3, 4]],
  ['line:x', 'a number', [0, 1, 2, 3, 4]],
])('%s is told to be wrong, and all else is searched for', (text, problem, expected) => {
  expect(readQuery(text).problem).toContain(problem);
  expect(found(text)).toEqual(expected);
});

it.each(['hello', 'tool:x "a:b"', 'is:', 'took:>1.5s -size:<10kb', ''])('%s is no problem', (text) => {
  expect(readQuery(text).problem).toBeUndefined();
});

it('only words that are looked for are marked', () => {
  expect(wordsOf(readQuery('Hello -there tool:x "not found"'))).toEqual(['hello', 'not found']);
});

it('a term is added, and taken away again', () => {
  expect(withTerm('echo', 'is:error')).toBe('echo is:error');
  expect(withTerm('is:error echo', 'is:error')).toBe('echo');
});
