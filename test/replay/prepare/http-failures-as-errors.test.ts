import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { stripHttp } from '../../../src/replay/prepare/strip-http.ts';
import { call, cancel, play, result } from '../../support/conversation.ts';

const HEAD = 'format: mcp-record/1\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n';
const event = (what: string, stream: number, ...more: string[]) =>
  [`- ${what}`, `stream: ${stream}`, ...more].join('\n  ').concat('\n');
const said = (side: 'client' | 'server', message: unknown, stream: number, ...more: string[]) =>
  event(`${side}: ${JSON.stringify(message)}`, stream, ...more);
const asked = (stream: number, id = stream) => said('client', call(id, 'a'), stream);

/** What a client of stdio hears that asks the same once. */
function heard(...events: string[]) {
  const cassette = stripHttp(parseCassette(HEAD + events.join(''), 'cassette.yaml'));
  const one = play(cassette);
  one.says(call(7, 'a'));
  return one.hears();
}
const error = (message: string) => ({ jsonrpc: '2.0', id: 7, error: { code: -32000, message } });
const CUT = 'The server closed the connection before it had answered.';

describe('over stdio, a request that had no answer over HTTP', () => {
  it.each([
    ['a status', event('response: 503', 1), 'The server answered HTTP 503 Service Unavailable'],
    ['a status that nobody knows', event('response: 599', 1), 'The server answered HTTP 599'],
    ['a page', event('response: 200', 1, 'headers: { content-type: text/html }'), 'The server answered HTTP 200 OK'],
    [
      'an error that names no request',
      said('server', { jsonrpc: '2.0', id: null, error: { code: -32001, message: '?' } }, 1, 'status: 404'),
      'The server answered HTTP 404 Not Found',
    ],
    ['a challenge, for good', event('response: 401', 1), 'The server answered HTTP 401 Unauthorized'],
    ['the end of the stream', event('response: sse', 1) + event('close: server', 1), CUT],
    ['the end of the connection', event('close: server', 1, 'how: rst'), CUT],
  ])('but %s has an error that says so', (_, ending, words) => {
    expect(heard(asked(1), ending)).toEqual([error(words)]);
  });

  it('in a batch has an error of its own, beside the others', () => {
    const batch = [call(1, 'a'), call(2, 'b')];
    const cassette = stripHttp(
      parseCassette(HEAD + said('client', batch, 1) + event('response: 500', 1), 'cassette.yaml'),
    );
    const { events } = cassette;
    expect(events.map(({ frame }) => frame.kind === 'message' && frame.json.value)).toMatchObject([
      batch,
      { id: 1, error: { message: 'The server answered HTTP 500 Internal Server Error' } },
      { id: 2, error: { message: 'The server answered HTTP 500 Internal Server Error' } },
    ]);
  });

  it('because it was cancelled, or its stream left, stays unanswered', () => {
    expect(heard(asked(1), said('client', cancel(1), 2), event('close: server', 1))).toEqual([]);
    expect(heard(asked(1), event('close: client', 1), event('close: server', 1))).toEqual([]);
  });
});

describe('over stdio, a request that had its answer over HTTP', () => {
  it('on a stream that the client came back to has that', () => {
    const primed = event('response: sse', 1) + event('sse: { id: e }', 1) + event('close: server', 1);
    const back = event('open: GET', 2, 'resumes: e') + said('server', result(1, 'A'), 2, 'sse: { id: f }');
    expect(heard(asked(1), primed, back)).toEqual([result(7, 'A')]);
  });

  it('on the one stream of HTTP with SSE has that, and waits for it if it never came', () => {
    const opened = event('open: GET', 9) + event('sse: { event: endpoint, data: /messages }', 9);
    const accepted = event('response: 202', 1);
    const answer = said('server', result(1, 'A'), 9, 'sse: {}');
    expect(heard(opened, asked(1), accepted, answer)).toEqual([result(7, 'A')]);
    expect(heard(opened, asked(1), accepted)).toEqual([]);
    expect(heard(opened, asked(1), event('response: 500', 1))).toMatchObject([{ error: { code: -32000 } }]);
  });

  it('once it came again with a token has that: the challenge never was', () => {
    expect(heard(asked(1), event('response: 401', 1), asked(2), said('server', result(2, 'A'), 2))).toEqual([
      result(7, 'A'),
    ]);
  });
});
