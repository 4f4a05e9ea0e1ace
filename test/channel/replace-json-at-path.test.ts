import { expect, it } from 'vitest';
import { withTextAt } from '../../src/channel/replace-json-at-path.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

it('replaces a value, and keeps every other character of the message', () => {
  const message = new JsonText('{ "id" : 1.0, "params":{"id":2, "_meta":{"progressToken" :"a\\u0062"}}}');
  expect(withTextAt(message, ['id'], '"x"').text).toBe(message.text.replace('1.0', '"x"'));
  expect(withTextAt(message, ['params', '_meta', 'progressToken'], '7').text).toBe(
    message.text.replace('"a\\u0062"', '7'),
  );
});
