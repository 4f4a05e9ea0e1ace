import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { httpFailureOf } from '../../../src/verify/compare/classify-http-failure.ts';
import { refusedStep } from '../../../src/verify/compare/compare-http-refusals.ts';
import type { Exchange } from '../../../src/verify/run/run-recorded-client.ts';

const reply = (status: number): Frame => ({ kind: 'http-response', at: 0, from: 'server', status });
const answer: Frame = { kind: 'message', at: 0, from: 'server', json: new JsonText('{"id":1,"result":{}}') };

/** An exchange that ended with `recorded` in the cassette, and now with `live`. */
function exchange(recorded: Frame | undefined, live: Frame): Exchange {
  const refusal = httpFailureOf(live);
  return {
    request: {} as SessionEntry,
    recorded: recorded && ({ frame: recorded } as SessionEntry),
    live: new JsonText('{}'),
    duration: 0,
    ...(refusal && { refusal }),
  };
}

describe('refusedStep', () => {
  it('leaves answers to be compared', () => {
    expect(refusedStep(exchange(answer, answer))).toBeUndefined();
    expect(refusedStep(exchange(undefined, answer))).toBeUndefined();
  });

  it('fails a refusal instead of an answer, with what to do', () => {
    expect(refusedStep(exchange(answer, reply(404)))).toEqual({
      status: 'failed',
      headline: 'HTTP 404 Not Found, instead of an answer',
      details: [expect.stringContaining('[HTTP_NOT_FOUND] Check the path')],
    });
  });

  it('fails an answer instead of a refusal, and another refusal', () => {
    expect(refusedStep(exchange(reply(404), answer))).toEqual({
      status: 'failed',
      headline: 'answered, where the cassette has no answer but HTTP 404 Not Found',
    });
    expect(refusedStep(exchange(reply(404), reply(400)))).toMatchObject({
      status: 'failed',
      headline: 'HTTP 400 Bad Request, instead of HTTP 404 Not Found',
    });
  });

  it('passes the same refusal, whatever it says', () => {
    const page: Frame = {
      ...reply(404),
      kind: 'http-response',
      from: 'server',
      status: 404,
      body: 'no such session',
    };
    expect(refusedStep(exchange(reply(404), page))).toEqual({ status: 'passed' });
  });

  it('fails another text in place of a message, with a status that says success', () => {
    const said = (body: string): Frame => ({ kind: 'http-response', at: 0, from: 'server', status: 200, body });
    expect(refusedStep(exchange(said('right'), said('right')))).toEqual({ status: 'passed' });
    expect(refusedStep(exchange(said('right'), said('wrong')))).toMatchObject({
      status: 'failed',
      headline:
        'HTTP 200 with no content type and no message: "wrong", instead of HTTP 200 with no content type and no message: "right"',
    });
  });

  it('skips what the cassette does not answer either', () => {
    expect(refusedStep(exchange(undefined, reply(500)))).toMatchObject({ status: 'skipped' });
  });
});
