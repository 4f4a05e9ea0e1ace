import { expect, it } from 'vitest';
import { timelineOf } from '../../src/text-report/timeline-rows.ts';
import { type Paint, timelineText } from '../../src/text-report/timeline-text.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  progress,
  server,
  stderr,
} from '../support/conversation.ts';

const session = timelineOf(
  cassette(
    stderr('ready\u001b[2J'),
    client(call(0, 'add', { a: 1, b: '漢' }), 1500),
    server(progress(9, 1), 1510),
    server({ id: 0, result: { content: [{ type: 'text', text: 'three' }] } }, 1900),
    client(call(1, 'fail'), 2000),
    server({ id: 1, error: { code: -32603, message: 'broke' } }, 14_000),
    client(call(2, 'long'), 14_000),
    client(cancel(2), 14_100),
    client(call(3, 'stuck'), 14_100),
    { ...clientCloses, at: 14_200 },
    { ...exits(0), at: 14_230 },
  ),
);

it('is a table with an arrow from who spoke, and a summary', () => {
  expect(`\n${timelineText(session).join('\n')}`).toMatchInlineSnapshot(`
    "
    line  seconds       took  bytes  what
       1    0.000                 9  ← stderr  ready\\u001b[2J
       2    1.500     400 ms    100  → tools/call "add"  {"a":1,"b":"漢"}
       3    1.510                93  ← progress  1
       4    1.900                62  ←   result for 2  three
       5    2.000     12.0 s     71  → tools/call "fail"
       6   14.000                50  ←   error -32603 for 5  broke
       7   14.000  cancelled     71  → tools/call "long"
       8   14.100                77  → cancelled for 7
       9   14.100    pending     72  → tools/call "stuck"
      10   14.200                    → closes its stream
      11   14.230                    ← exits with 0

    4 requests of the client and 0 of the server (1 answered, 1 error, 1 cancelled, 1 pending), 2 notifications, 14.230 s"
  `);
});

it('cuts what does not fit the width', () => {
  const lines = timelineText(session, { width: 60 });
  expect(lines.slice(0, 4)).toMatchInlineSnapshot(`
    [
      "line  seconds       took  bytes  what",
      "   1    0.000                 9  ← stderr  ready\\u001b[2J",
      "   2    1.500     400 ms    100  → tools/call "add"  {"a":1…",
      "   3    1.510                93  ← progress  1",
    ]
  `);
});

it('paints each row whole, and failures as failures', () => {
  const mark = (letter: string) => (text: string) => `${letter}|${text}`;
  const paint: Paint = { dim: mark('d'), client: mark('c'), server: mark('s'), bad: mark('b') };
  const letters = timelineText(session, { paint }).map((line) => /^(\w)\|/.exec(line)?.[1] ?? '-');
  expect(letters.join('')).toBe('ddcssbbccbdd--');
});

it('has as many rows as a session has events, though these are hundreds of thousands', () => {
  const row = session.rows[0]!;
  const rows = Array.from({ length: 150_000 }, () => row);
  expect(timelineText({ ...session, rows })).toHaveLength(rows.length + 3);
});
