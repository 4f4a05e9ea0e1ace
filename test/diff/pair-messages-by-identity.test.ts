import { expect, it } from 'vitest';
import { pairMessagesByIdentity } from '../../src/diff/pair-messages-by-identity.ts';
import { sessionInteractions } from '../../src/diff/session-interactions.ts';
import { call, client } from '../support/conversation.ts';
import { a } from './cassettes.ts';

const calls = (...all: [name: string, n: number][]) =>
  sessionInteractions(a(...all.map(([name, n], index) => client(call(index, name, { n }))))).interactions;
const shown = (one: { title: string; identity: { params: { arguments?: unknown } } }) =>
  `${one.title} ${JSON.stringify(one.identity.params.arguments)}`;

it('pairs the n-th of one identity with the n-th, then what is left of a subject with the nearest', () => {
  const { pairs, onlyA, onlyB } = pairMessagesByIdentity(
    calls(['x', 1], ['x', 1], ['x', 2], ['y', 1]),
    calls(['x', 3], ['x', 1], ['x', 1], ['z', 1]),
  );
  expect(pairs.map(([one, other]) => [one.line, other.line])).toEqual([
    [1, 2],
    [2, 3],
    [3, 1],
  ]);
  expect(onlyA.map(shown)).toEqual(['tools/call "y" {"n":1}']);
  expect(onlyB.map(shown)).toEqual(['tools/call "z" {"n":1}']);
});

it('the nearest is the one with the fewest other arguments, wherever it stands', () => {
  const talks = (...all: Record<string, number>[]) =>
    sessionInteractions(a(...all.map((args, index) => client(call(index, 'x', args))))).interactions;
  const { pairs, onlyB } = pairMessagesByIdentity(
    talks({ p: 1, q: 1 }),
    talks({ p: 9, q: 9 }, { p: 1, q: 2 }, { p: 8, q: 8 }),
  );
  expect(pairs.map(([, other]) => other.line)).toEqual([2]);
  expect(onlyB.map(({ line }) => line)).toEqual([1, 3]);
});
