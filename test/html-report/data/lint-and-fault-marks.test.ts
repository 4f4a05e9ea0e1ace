import { expect, it } from 'vitest';
import { marksOf } from '../../../src/html-report/data/lint-and-fault-marks.ts';
import { call, cassette, client, result, server, stderr } from '../../support/conversation.ts';

it('a finding of lint stands at its event, with the rule and where it is written', () => {
  const marks = marksOf(cassette(client(call(1, 'a')), server(result(1, 'x')), server(result(1, 'again'))));
  expect(marks.get(2)?.[0]).toMatchObject({ kind: 'lint-error', source: expect.any(String) });
});

it('a fault stands at the message that it struck, counted by side', () => {
  const session = cassette(client(call(1, 'a')), stderr('busy'), server(result(1, 'x')), client(call(2, 'b')));
  const faults = (message: number, from: 'client' | 'server') =>
    [...marksOf(session, [{ fault: 'latency', from, message, rule: 2 }])]
      .filter(([, marks]) => marks.some(({ kind }) => kind === 'fault'))
      .map(([index]) => index);
  expect(faults(1, 'server')).toEqual([2]);
  expect(faults(2, 'client')).toEqual([3]);
  expect(faults(0, 'server')).toEqual([2]);
  expect(faults(9, 'server')).toEqual([3]);
});
