import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { httpFailureOf } from '../../../src/verify/compare/classify-http-failure.ts';

const reply = (status: number, beside: object = {}): Frame => ({
  kind: 'http-response',
  at: 0,
  from: 'server',
  status,
  ...beside,
});
const says = (json: object, status?: number): Frame => ({
  kind: 'message',
  at: 0,
  from: 'server',
  json: new JsonText(JSON.stringify(json)),
  ...(status !== undefined && { status }),
});
const error = { code: -32001, message: 'Session not found' };

describe('what came instead of an answer', () => {
  it.each([
    [reply(500), 'HTTP_REFUSED', 'HTTP 500 Internal Server Error'],
    [reply(500, { body: ' out\n of order ' }), 'HTTP_REFUSED', 'HTTP 500 Internal Server Error: "out of order"'],
    [reply(599), 'HTTP_REFUSED', 'HTTP 599'],
    [reply(401), 'HTTP_UNAUTHORIZED', 'HTTP 401 Unauthorized'],
    [reply(403), 'HTTP_UNAUTHORIZED', 'HTTP 403 Forbidden'],
    [reply(404), 'HTTP_NOT_FOUND', 'HTTP 404 Not Found'],
    [says({ id: null, error }, 404), 'HTTP_NOT_FOUND', 'HTTP 404 Not Found: error -32001 "Session not found"'],
    [says({ error }, 400), 'HTTP_REFUSED', 'HTTP 400 Bad Request: error -32001 "Session not found"'],
    [reply(307, { headers: { location: '/mcp/' } }), 'HTTP_REFUSED', 'HTTP 307 Temporary Redirect to /mcp/'],
    [reply(200, { body: '<p>' }), 'HTTP_NOT_MCP', 'HTTP 200 with no content type and no message: "<p>"'],
    [
      reply(200, { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: '{}' }),
      'HTTP_NOT_MCP',
      'HTTP 200 with application/json in the encoding gzip',
    ],
    [
      reply(202, { headers: { 'content-type': 'text/html' } }),
      'HTTP_NOT_MCP',
      'HTTP 202 with text/html and no message',
    ],
    [
      { kind: 'close', at: 0, from: 'server' } as Frame,
      'HTTP_ANSWER_CUT',
      'the answer ended before there was a message',
    ],
    [
      { kind: 'close', at: 0, from: 'server', how: 'rst' } as Frame,
      'HTTP_ANSWER_CUT',
      'the connection was reset before there was a message',
    ],
  ])('%j is %s', (frame, code, words) => {
    expect(httpFailureOf(frame)).toMatchObject({ code, words });
  });

  it('is quoted only in its beginning', () => {
    expect(httpFailureOf(reply(500, { body: 'x'.repeat(1_000) }))!.words.length).toBeLessThan(150);
  });

  it.each([
    says({ id: 1, result: {} }),
    says({ id: 1, error }, 400),
    says({ method: 'notifications/message' }),
    { ...reply(200), status: 'sse' } as Frame,
  ])('is not an answer: %j', (frame) => {
    expect(httpFailureOf(frame)).toBeUndefined();
  });
});
