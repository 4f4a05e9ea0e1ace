import { expect, it } from 'vitest';
import { sessionText } from '../../src/diff/session-text.ts';
import { call, cancel, client, exits, notification, progress, result, server } from '../support/conversation.ts';
import { a } from './cassettes.ts';

it('puts each answer below its request, without what differs from run to run', () => {
  const digest = sessionText(
    a(
      client(call(1, 'slow', { n: 1 }, 'p')),
      client(call(2, 'fast')),
      server(progress('p', 1)),
      server(result(2, 'two\nlines')),
      server(notification('message', { level: 'info', data: 'up' })),
      client(cancel(1)),
      exits(0),
    ),
  );
  expect(digest).toMatchInlineSnapshot(`
    "→ tools/call "slow"
      name: slow
      arguments:
        "n": 1
    ← no answer (cancelled)

    → tools/call "fast"
      name: fast
    ← result
      text: |-
        two
        lines

    ← notifications/message
      level: info
      data: up

    exit: 0
    "
  `);
});

it('is the same under other ids and in another order of overlapping answers', () => {
  const one = a(client(call(1, 'x')), client(call(2, 'y')), server(result(1, '')), server(result(2, '')));
  const other = a(client(call(8, 'x')), client(call(9, 'y')), server(result(9, '')), server(result(8, '')));
  expect(sessionText(one)).toBe(sessionText(other));
});
