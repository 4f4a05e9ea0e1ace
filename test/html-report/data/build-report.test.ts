import { expect, it } from 'vitest';
import { pageOf } from '../../../src/html-report/data/build-report.ts';
import { call, client, result, server, tape } from '../../support/conversation.ts';

const session = tape(client(call(1, 'a')), server(result(1, 'x')));

it('one tape is one view, two are also what differs between them, more are also what differs from the first', () => {
  const kinds = (...tapes: (typeof session)[]) => pageOf(tapes).views.map(({ kind }) => kind);
  expect(kinds(session)).toEqual(['session']);
  expect(kinds(session, session)).toEqual(['differences', 'session', 'session']);
  expect(kinds(session, session, session)).toEqual([
    'differences',
    'differences',
    'session',
    'session',
    'session',
  ]);
});

it('faults are marked on the last tape', () => {
  const { views } = pageOf([session, session], { journal: [{ fault: 'cut', from: 'server', message: 1 }] });
  const struck = views.map(
    ({ items }) => items.filter(({ marks }) => marks?.some(({ kind }) => kind === 'fault')).length,
  );
  expect(struck).toEqual([1, 0, 1]);
});
