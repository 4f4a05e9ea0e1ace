import { expect, it } from 'vitest';
import { buildReport } from '../../../src/html-report/data/build-report-data.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const session = cassette(client(call(1, 'a')), server(result(1, 'x')));

it('one cassette is one view, two are also what differs between them, more are also what differs from the first', () => {
  const kinds = (...cassettes: (typeof session)[]) => buildReport(cassettes).views.map(({ kind }) => kind);
  expect(kinds(session)).toEqual(['session']);
  expect(kinds(session, session)).toEqual(['differences', 'session', 'session']);
  expect(kinds(session, session, session)).toEqual(['differences', 'differences', 'session', 'session', 'session']);
});

it('faults are marked on the last cassette', () => {
  const { views } = buildReport([session, session], {
    journal: [{ fault: 'cut', from: 'server', message: 1 }],
  });
  const struck = views.map(
    ({ items }) => items.filter(({ marks }) => marks?.some(({ kind }) => kind === 'fault')).length,
  );
  expect(struck).toEqual([1, 0, 1]);
});
