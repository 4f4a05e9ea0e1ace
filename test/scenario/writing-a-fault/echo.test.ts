import { expect, it } from 'vitest';
import { ANSWER, CALL, came, misbehaving } from '../../faults/stage.ts';
import { echo } from './echo.ts';

it('echo sends a request back when it has arrived', () => {
  const line = misbehaving([echo({ count: 2 })]);
  line.client(CALL);
  const back = came('server', CALL);
  expect(line.arrived()).toEqual([came('client', CALL), back, back]);
});

it('echo leaves all else alone', () => {
  const line = misbehaving([echo()]);
  line.server(ANSWER);
  expect(line.arrived()).toEqual([came('server', ANSWER)]);
});
