import { expect, it } from 'vitest';
import { messageTitle } from '../../src/contract/message-title.ts';
import { call } from '../support/conversation.ts';

it('names requests by method and subject', () => {
  expect(messageTitle(call(1, 'add'))).toBe('tools/call "add"');
  expect(messageTitle({ result: {} })).toBe('message');
});
