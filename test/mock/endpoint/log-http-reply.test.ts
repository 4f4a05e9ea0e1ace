import { expect, it } from 'vitest';
import type { LoggedExchange } from '../../../src/journal/http-message-log.ts';
import { observeReply } from '../../../src/mock/endpoint/log-http-reply.ts';
import type { HttpResponseWriter } from '../../../src/replay/http/http-response-writer-types.ts';

it('a reply that is overheard says all that it would have said, in its order', () => {
  const said: unknown[] = [];
  const heard: unknown[] = [];
  const reply: HttpResponseWriter = {
    answer: (answer) => said.push(['answer', answer.status]),
    stream: (headers) => said.push(['stream', headers]),
    event: (data) => said.push(['event', data]),
    begin: (answer) => said.push(['begin', answer.status]),
    write: (data) => said.push(['write', data.length]),
    end: () => said.push(['end']),
    abort: (how) => said.push(['lose', how]),
  };
  const exchange = {
    addResponseHeaders: (headers: object) => heard.push(headers),
    addServerMessage: (message: unknown) => heard.push(message),
  } as unknown as LoggedExchange;
  const own = observeReply(reply, exchange);
  own.answer({ status: 200, headers: { 'mcp-session-id': 's' } });
  own.answer({
    status: 200,
    body: '{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{"a":{"method":"roots/list"}}}}',
  });
  own.answer({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{}}' });
  own.stream({ 'content-type': 'text/event-stream' });
  own.event('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
  own.event('{"jsonrpc":"2.0","method":"notifications/message"}');
  own.begin({ status: 201 });
  own.write(new Uint8Array(3));
  own.abort('rst');
  own.end();
  expect(said.map((one) => (one as unknown[])[0])).toEqual([
    'answer',
    'answer',
    'answer',
    'stream',
    'event',
    'event',
    'begin',
    'write',
    'lose',
    'end',
  ]);
  expect(heard).toEqual([
    { 'mcp-session-id': 's' },
    {},
    { jsonrpc: '2.0', id: 1, result: { inputRequests: { a: { method: 'roots/list' } } } },
    {},
    { 'content-type': 'text/event-stream' },
    { jsonrpc: '2.0', id: 1, method: 'roots/list' },
    {},
  ]);
});
