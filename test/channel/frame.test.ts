import { expect, it } from 'vitest';
import { otherSide } from '../../src/channel/frame.ts';

it('each side faces the other', () => {
  expect([otherSide('client'), otherSide('server')]).toEqual(['server', 'client']);
});
