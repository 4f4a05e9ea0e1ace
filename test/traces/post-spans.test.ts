import { expect, it } from 'vitest';
import type { Span } from '../../src/convert/otlp/otlp-types.ts';
import { otlpTarget } from '../../src/traces/otlp-target.ts';
import { postSpans } from '../../src/traces/post-spans.ts';
import { OtlpReceiver, type ReceiverAnswer } from '../support/otlp-receiver.ts';

const CREATOR = { name: 'mcp-record', version: '0' };
const SPAN: Span = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  flags: 257,
  name: 'ping',
  kind: 3,
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
  attributes: [],
  events: [],
  links: [],
  status: {},
};

async function post(
  answer: ReceiverAnswer | undefined,
  env: Record<string, string> = {},
  signal = new AbortController().signal,
) {
  await using receiver = await OtlpReceiver.start();
  if (answer) receiver.answers.push(answer);
  const outcome = await postSpans(otlpTarget(receiver.url, env), [SPAN], CREATOR, signal);
  return { outcome, receiver };
}

it('sends spans with the headers and the service of the environment', async () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b', OTEL_SERVICE_NAME: 'weather' };
  const { outcome, receiver } = await post(undefined, env);
  expect(outcome).toEqual({ kind: 'taken', refused: 0 });
  expect(receiver.paths).toEqual(['/v1/traces']);
  expect(receiver.headers[0]).toMatchObject({ 'x-key': 'a b', 'user-agent': 'mcp-record/0' });
  expect(receiver.requests[0]!.resourceSpans[0]!.resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'weather' } },
  ]);
  expect(receiver.spans).toMatchObject([{ name: 'ping' }]);
});

it.each([
  [
    { status: 200, body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}' },
    { kind: 'taken', refused: 1, why: 'it refuses spans: too old' },
  ],
  [
    { status: 200, body: '{"partialSuccess":{}}' },
    { kind: 'taken', refused: 0 },
  ],
  [
    { status: 202, body: 'not JSON' },
    { kind: 'taken', refused: 0 },
  ],
  [
    { status: 200, body: 'x'.repeat(1_000_000) },
    { kind: 'taken', refused: 0 },
  ],
  [{ status: 401 }, { kind: 'refused', why: 'it answers with HTTP 401' }],
  [
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { kind: 'refused', why: 'it answers with HTTP 302' },
  ],
  [{ status: 503 }, { kind: 'later', why: 'it answers with HTTP 503' }],
  [
    { status: 429, headers: { 'retry-after': '7' } },
    { kind: 'later', why: 'it answers with HTTP 429', afterSeconds: 7 },
  ],
  [
    { status: 429, headers: { 'retry-after': 'Sat, 28 Nov 2026 00:00:00 GMT' } },
    { kind: 'later', why: 'it answers with HTTP 429' },
  ],
])('understands %j', async (answer, outcome) => {
  expect((await post(answer)).outcome).toEqual(outcome);
});

it('says why there is no connection', async () => {
  const receiver = await OtlpReceiver.start();
  const target = otlpTarget(receiver.url, {});
  await receiver[Symbol.asyncDispose]();
  expect(await postSpans(target, [SPAN], CREATOR, new AbortController().signal)).toEqual({
    kind: 'later',
    why: expect.stringContaining('ECONNREFUSED'),
  });
});

it('stops when it is told to', async () => {
  await using receiver = await OtlpReceiver.start();
  receiver.answers.push('none');
  const aborted = new AbortController();
  const posted = postSpans(otlpTarget(receiver.url, {}), [SPAN], CREATOR, aborted.signal);
  await receiver.until(() => receiver.calls === 1);
  aborted.abort();
  expect(await posted).toEqual({ kind: 'later', why: 'it does not answer in time' });
});
