import { expect, it } from 'vitest';
import { SenderInference } from '../../src/convert/infer-sender.ts';
import { call, cancel, notification, progress, request, result } from '../support/conversation.ts';

it('tells who says what, also where both sides use one id', () => {
  const speaker = new SenderInference();
  const session = [
    call(1, 'add', {}, 'p'),
    progress('p', 1),
    notification('message', { level: 'info' }),
    request(1, 'sampling/createMessage', { _meta: { progressToken: 'q' } }),
    progress('q', 1),
    result(1, 'sampled'),
    cancel(1),
    result(1, 'added'),
    notification('roots/list_changed'),
    notification('tools/list_changed'),
    'nonsense',
  ];
  expect(session.map((message) => speaker.of(message)).join(' ')).toBe(
    'client server server server client client client server client server server',
  );
});
