import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

const GIVEN = 'q7Wd-zzRt-91xK';
const { frame } = createRedactor({ env: { ACME_TOKEN: GIVEN } });
const server = { at: 3, from: 'server', stream: 1 } as const;
const client = { at: 3, from: 'client', stream: 1 } as const;
const reply = { kind: 'http-response', ...server, status: 401 } as const;

describe('of a frame', () => {
  it.each<[what: string, given: Frame, safe: object]>([
    [
      'the headers of a message',
      {
        kind: 'message',
        ...server,
        json: new JsonText('{}'),
        headers: { 'x-api-key': 'q9w8e7r6', allow: 'GET' },
      },
      { headers: { 'x-api-key': '[redacted:x-api-key:1]', allow: 'GET' } },
    ],
    [
      'the credentials of a request, but for their scheme',
      { kind: 'open', ...client, method: 'GET', headers: { authorization: 'Bearer q1w2e3r4t5' } },
      { headers: { authorization: 'Bearer [redacted:authorization:1]' } },
    ],
    [
      'each cookie, but for its name and attributes',
      { ...reply, headers: { 'set-cookie': 'sid=q1-cookie-7; Path=/; HttpOnly' } },
      { headers: { 'set-cookie': 'sid=[redacted:set-cookie:1]; Path=/; HttpOnly' } },
    ],
    [
      'the query of a path',
      {
        kind: 'open',
        ...client,
        method: 'GET',
        path: '/mcp?access_token=q8w7e6r5&page=2&code=a1b2c3d4e5&key=name',
      },
      { path: '/mcp?access_token=[redacted:access_token:1]&page=2&code=[redacted:code:1]&key=name' },
    ],
    [
      'a form (RFC 6749 §4.1.3)',
      { ...reply, body: 'grant_type=authorization_code&code=z9y8x7w6v5&client_secret=s3same-0pen' },
      {
        body: 'grant_type=authorization_code&code=[redacted:code:2]&client_secret=[redacted:client_secret:1]',
      },
    ],
    [
      'a body of JSON',
      { ...reply, body: '{"access_token":"p0o9i8u7","token_type":"Bearer","expires_in":3600}' },
      { body: '{"access_token":"[redacted:access_token:2]","token_type":"Bearer","expires_in":3600}' },
    ],
    [
      'a body that is no text',
      { ...reply, body: Uint8Array.from([0xff, ...Buffer.from(' password=l3tmein-7 ')]) },
      { body: Uint8Array.from([0xff, ...Buffer.from(' password=[redacted:password:1] ')]) },
    ],
    [
      'the data of an event',
      { kind: 'sse', ...server, sse: { event: 'endpoint', data: '/messages?sessionId=7f3e9a1c55d2' } },
      { sse: { event: 'endpoint', data: '/messages?sessionId=[redacted:sessionId:1]' } },
    ],
    [
      'the id and the name of an event',
      { kind: 'message', ...server, json: new JsonText('{}'), sse: { id: `7-${GIVEN}`, event: GIVEN, retry: 5 } },
      { sse: { id: '7-[redacted:ACME_TOKEN:1]', event: '[redacted:ACME_TOKEN:1]', retry: 5 } },
    ],
    [
      'the id of an event without a message',
      { kind: 'sse', ...server, sse: { id: GIVEN } },
      { sse: { id: '[redacted:ACME_TOKEN:1]' } },
    ],
    [
      'the id of an event with a line',
      { kind: 'line', ...server, on: 'protocol', data: 'hello', sse: { id: GIVEN } },
      { sse: { id: '[redacted:ACME_TOKEN:1]' } },
    ],
    [
      'the event after which a client resumes',
      { kind: 'open', ...client, method: 'GET', resumes: `7-${GIVEN}` },
      { resumes: '7-[redacted:ACME_TOKEN:1]' },
    ],
    [
      'the id and the name of an event that carries a message',
      {
        kind: 'message',
        ...server,
        json: new JsonText('{}'),
        sse: { id: 'Bearer c3v4b5n6m7', event: 'password=x9c8v7b6', retry: 5 },
      },
      { sse: { id: 'Bearer [redacted:bearer:1]', event: 'password=[redacted:password:2]', retry: 5 } },
    ],
    [
      'the id of an event that carries a line',
      { kind: 'line', ...server, on: 'protocol', data: 'x', sse: { id: 'Bearer c3v4b5n6m7' } },
      { sse: { id: 'Bearer [redacted:bearer:1]' } },
    ],
    [
      'the same id, where the client repeats it',
      { kind: 'open', ...client, method: 'GET', resumes: 'Bearer c3v4b5n6m7' },
      { resumes: 'Bearer [redacted:bearer:1]' },
    ],
    ['a comment', { kind: 'comment', ...server, text: 'token=m5n6b7v8' }, { text: 'token=[redacted:token:1]' }],
    [
      'a line of standard error',
      { kind: 'line', ...server, on: 'stderr', data: 'connecting to redis://:k2j3h4g5@cache:6379' },
      { data: 'connecting to redis://:[redacted:url-password:1]@cache:6379' },
    ],
  ])('%s is redacted, and nothing else', (_, given, safe) => {
    expect(frame(given)).toEqual({ ...given, ...safe });
  });

  it('keeps the event names of the specifications, however wide a rule is', () => {
    const wide = createRedactor({ env: {}, rules: [{ pattern: '[a-z]{4,}', name: 'word' }] });
    for (const event of ['endpoint', 'message']) {
      const given: Frame = { kind: 'sse', ...server, sse: { event, data: '/1' } };
      expect(wide.frame(given)).toBe(given);
    }
  });
});
