import type { Area } from '../area.ts';
import { inEveryRole, type Written } from '../stdio/scene.ts';
import type { Talk } from '../talk.ts';
import type { Line } from '../wire/line.ts';

const ON = { on: ['stdio'] } as const;
const ELSEWHERE = { 'Streamable HTTP': 'stdio only', 'HTTP+SSE': 'stdio only' } as const;
const done = { content: [{ type: 'text', text: 'ü\u2028𝄞' }] };

const line = ({ from, message }: Line, end = '\n'): Written => ({
  from,
  data: Buffer.from(JSON.stringify(message) + end),
});
const opening = (talk: Talk) => talk.opening({ server: { tools: {} } }).map((one) => line(one));
const call = (talk: Talk, id = 1) => talk.ask(id, 'tools/call', { name: 'ü\u2028𝄞' });
const text = (words: string | Uint8Array, on: Written['on'] = 'protocol'): Written => ({
  from: 'server',
  data: Buffer.from(words),
  on,
});

/** How lines travel. */
export const stdio: Area = {
  name: 'Stdio: lines',
  requirements: [
    {
      id: 'stdio/framing',
      source: 'Transports, stdio',
      not: ELSEWHERE,
      says: 'A message is a line; it ends at a newline alone, before which a return may stand.',
    },
    {
      id: 'stdio/any-cut',
      source: 'Transports, stdio',
      not: ELSEWHERE,
      says: 'Lines come in pieces, cut anywhere, in the middle of a character too, or several at once.',
    },
    {
      id: 'stdio/stderr',
      source: 'Transports, stdio',
      not: { ...ELSEWHERE, 'mock client': 'only reports it' },
      says: 'Standard error is free text, and no sign of an error.',
    },
    {
      id: 'stdio/no-message',
      source: 'Transports, stdio',
      not: ELSEWHERE,
      says: 'What is no message passes and is kept, as its bytes if need be.',
    },
    {
      id: 'base/batch',
      since: '2025-03-26',
      until: '2025-03-26',
      source: 'Base Protocol, Batching',
      not: { 'Streamable HTTP': 'http/batch', 'HTTP+SSE': 'of 2024-11-05' },
      says: 'Messages come in batches, and their answers too.',
    },
  ],
  scenes: [
    {
      title: 'lines end with a newline, or a return and a newline',
      ...ON,
      shows: ['stdio/framing'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          line(call(talk), '\r\n'),
          line(talk.answer(1, done), '\r\n'),
          line(call(talk, 2)),
          line(talk.answer(2, done)),
        ]),
    },
    {
      title: 'lines come byte by byte, and several in one piece',
      ...ON,
      shows: ['stdio/any-cut'],
      play: (talk) => {
        const both = [1, 2].map((id) => line(call(talk, id)).data);
        return inEveryRole([
          ...opening(talk).map((written) => ({ ...written, piecemeal: true })),
          { from: 'client', data: Buffer.concat(both) },
          { ...line(talk.answer(1, done)), piecemeal: true },
          { ...line(talk.answer(2, done)), piecemeal: true },
        ]);
      },
    },
    {
      title: 'a server writes to standard error',
      ...ON,
      as: ['recorder', 'mock server'],
      shows: ['stdio/stderr'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          line(call(talk)),
          text('working on it\n\tat once\n', 'stderr'),
          line(talk.answer(1, done)),
        ]),
    },
    {
      title: 'a server prints what is no message, and no text either',
      ...ON,
      shows: ['stdio/no-message'],
      async play(talk) {
        await inEveryRole([
          ...opening(talk),
          line(call(talk)),
          text('Listening…\n'),
          text(Uint8Array.of(0xff, 0xfe, 0x0a)),
          line(talk.answer(1, done)),
        ]);
      },
    },
    {
      title: 'two calls and a notification come in one batch',
      ...ON,
      since: '2025-03-26',
      until: '2025-03-26',
      shows: ['base/batch'],
      play: (talk) =>
        inEveryRole([
          ...opening(talk),
          batch(call(talk, 1), talk.tell('notifications/attic'), call(talk, 2)),
          batch(talk.answer(1, done), talk.answer(2, done)),
        ]),
    },
  ],
};

function batch(...lines: readonly Line[]): Written {
  const messages = lines.map(({ message }) => message);
  return { from: lines[0]!.from, data: Buffer.from(`${JSON.stringify(messages)}\n`) };
}
