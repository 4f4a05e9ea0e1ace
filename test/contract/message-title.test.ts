import { expect, it } from 'vitest';
import { titleOf } from '../../src/contract/message-title.ts';
import { call } from '../support/conversation.ts';

it('names requests by method and subject', () => {
  expect(titleOf(call(1, 'add'))).toBe('tools/call "add"');
  expect(titleOf({ result: {} })).toBe('message');
});
