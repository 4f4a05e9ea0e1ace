import type { Area } from '../area.ts';
import { crossing } from '../talk.ts';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

export const base: Area = {
  name: 'Messages',
  requirements: [
    {
      id: 'base/ids',
      source: 'JSON-RPC 2.0; Base Protocol',
      says: 'An id is any string or integer: 0, the empty string, negative and 2^53−1 too.',
    },
    {
      id: 'base/id-type',
      source: 'JSON-RPC 2.0, Response object',
      says: 'A response has the id of its request, of the same type: 1 is not "1".',
    },
    {
      id: 'base/id-spaces',
      source: 'Base Protocol, Requests',
      until: '2025-11-25',
      says: 'Each side has ids of its own: both may ask with the same one at once.',
    },
    {
      id: 'base/id-reuse',
      source: 'Base Protocol, Requests',
      says: 'An id that was answered says nothing of a later request with it.',
    },
    {
      id: 'base/concurrent',
      source: 'JSON-RPC 2.0',
      says: 'Requests overlap, and are answered in any order.',
    },
    {
      id: 'base/null-id',
      not: { 'Streamable HTTP': 'http/unreadable' },
      source: 'JSON-RPC 2.0, Response object',
      says: 'An error about what could not be read has the id null, or none.',
    },
    {
      id: 'base/errors',
      source: 'JSON-RPC 2.0, Error object',
      says: 'An error passes with its code, its message and all of its data.',
    },
    {
      id: 'base/unknown-method',
      source: 'JSON-RPC 2.0, Error object',
      says: 'A method that nobody knows is refused with -32601.',
    },
    {
      id: 'base/extensions',
      source: 'Base Protocol, Extensions',
      says: 'Methods, notifications and fields that the protocol does not name pass as they are.',
    },
    {
      id: 'base/numbers',
      source: 'JSON-RPC 2.0 over JSON',
      says: 'A number keeps its digits, beyond what a double can hold.',
    },
    {
      id: 'base/unicode',
      source: 'Transports: UTF-8',
      says: 'Text passes whole: astral characters, U+2028, a NUL, newlines within strings.',
    },
    {
      id: 'base/trace',
      source: 'Base Protocol, `_meta`; W3C Trace Context',
      says: '`traceparent`, `tracestate` and `baggage` in `_meta` pass, and are nothing that a request is recognised by.',
    },
  ],
  conversations: [
    {
      title: 'ids of every kind are answered as they were asked',
      shows: ['base/ids', 'base/id-type'],
      lines: (talk) => [
        ...talk.opening(),
        ...[0, '', '0', -1, 2 ** 53 - 1, 'ü'].flatMap((id) => [
          talk.ask(id, 'tools/call', { name: 'echo', arguments: { id } }),
          talk.answer(id, text(`${typeof id} ${id}`)),
        ]),
      ],
    },
    {
      title: 'concurrent calls are answered in another order',
      shows: ['base/concurrent'],
      lines: (talk) => [
        ...talk.opening(),
        ...['a', 'b', 'c'].map((id) => talk.ask(id, 'tools/call', { name: 'slow', arguments: { id } })),
        ...['c', 'a', 'b'].map((id) => talk.answer(id, text(id))),
      ],
    },
    {
      title: 'a request crosses another, and its answer',
      shows: ['base/concurrent'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'first' }),
        crossing(talk.ask(2, 'tools/call', { name: 'second' })),
        talk.answer(1, text('first')),
        talk.answer(2, text('second')),
      ],
    },
    {
      title: 'both sides ask with id 0 at once',
      shows: ['base/id-spaces'],
      until: '2025-11-25',
      lines: (talk) => [
        ...talk.opening({ client: { roots: {} } }),
        talk.ask(0, 'tools/call', { name: 'roots' }),
        talk.asked(0, 'roots/list', undefined, 0),
        talk.reply(0, { roots: [{ uri: 'file:///work' }] }),
        talk.answer(0, text('file:///work')),
      ],
    },
    {
      title: 'an id is used again for something else',
      shows: ['base/id-reuse'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(7, 'tools/call', { name: 'first' }),
        talk.answer(7, text('first')),
        talk.ask(7, 'tools/call', { name: 'second' }),
        talk.answer(7, text('second')),
      ],
    },
    {
      title: 'the server complains of something that it could not read',
      shows: ['base/null-id'],
      on: ['stdio', 'HTTP+SSE'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', { name: 'echo' }),
        talk.fail(null, -32700, 'Parse error'),
        talk.answer(1, text('')),
      ],
    },
    {
      title: 'errors carry data',
      shows: ['base/errors', 'base/unknown-method'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'attic/open', { door: 'left' }),
        talk.fail(1, -32601, 'Method not found', { nested: [{ deep: null }, 1.5, 'ü'] }),
        talk.ask(2, 'tools/call', { name: 'nothing' }),
        talk.fail(2, -32602, 'Unknown tool: nothing', 'text'),
        talk.ask(3, 'tools/list'),
        talk.fail(3, -32603, 'Internal error'),
      ],
    },
    {
      title: 'both sides speak of what the protocol does not know',
      shows: ['base/extensions'],
      lines: (talk) => [
        ...talk.opening({ server: { experimental: { attic: { doors: 2 } } } }),
        talk.ask(1, 'attic/open', { door: 'left', _meta: { 'example.com/key': [1] } }),
        talk.told('notifications/attic/creak', { loud: true }, 1),
        talk.answer(1, { open: true, also: { '': null } }),
      ],
    },
    {
      title: 'numbers and text keep every digit and character',
      shows: ['base/unicode', 'base/numbers'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', {
          name: 'echo',
          arguments: { text: '\u2028\u{1f600}\u0000\n\r\n"\\ü', n: 1e-7, big: 1e21 },
        }),
        talk.answer(1, text('\u2029𝄞\ufeff\t- : #\n')),
      ],
    },
    {
      title: 'a call carries a trace',
      shows: ['base/trace'],
      lines: (talk) => [
        ...talk.opening(),
        talk.ask(1, 'tools/call', {
          name: 'echo',
          _meta: {
            traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
            tracestate: 'a=b',
            baggage: 'c=d',
          },
        }),
        talk.answer(1, text('')),
      ],
    },
  ],
};
