import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { Span } from '../../../src/convert/otlp/otlp-types.ts';
import { otlp } from '../../../src/convert/to/otlp.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { type Command, everything, mcpRecord } from '../../support/command.ts';
import { attributesOf, durationOf, spansIn } from '../../support/otlp.ts';
import { OtlpReceiver } from '../../support/otlp-receiver.ts';
import { fixture, Running } from '../../support/process.ts';
import { modern2, streamable1 } from '../http/clients.ts';
import { behind, record, server } from '../http/processes.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { call } from '../session/steps.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);

const recording = (file: string, url: string, { command, args }: Command): Command =>
  mcpRecord('record', '-o', file, '--otlp', url, '--', command, ...args);

/** What two traces of one session have in common: all but the ids, and the time of day. */
function comparable(spans: readonly Span[]): unknown[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const root = spans.find(({ name }) => name === 'MCP session')!;
  const since = (time: string) => Number((BigInt(time) - BigInt(root.startTimeUnixNano)) / 1_000_000n);
  return spans.map((span) => ({
    name: span.name,
    parent: names.get(span.parentSpanId ?? ''),
    isInSession: span.traceId === root.traceId,
    kind: span.kind,
    status: span.status,
    attributes: attributesOf(span),
    events: span.events.map(({ name, timeUnixNano, attributes }) => [name, since(timeUnixNano), attributes]),
    at: [since(span.startTimeUnixNano), durationOf(span)],
  }));
}

/** Spans of a cassette as `convert` writes them. */
const converted = (file: string) => spansIn(JSON.parse(otlp(loadCassette(file), { name: 'mcp-record', version: '0' })));

const outcomesOf = (spans: readonly Span[]) =>
  spans.map((span) => `${span.name}: ${attributesOf(span)['error.type'] ?? 'ok'}`);

describe('over stdio', () => {
  it('a collector gets the same spans that convert writes, with errors, a cancel and what the server asks', async () => {
    await using receiver = await OtlpReceiver.start();
    const file = newFile();
    const before = BigInt(Date.now()) * 1_000_000n;
    const peer = await connectSdk1(recording(file, receiver.url, everything));
    await call(peer, 'echo', { message: 'said' });
    await call(peer, 'trigger-sampling-request', { prompt: 'rain', maxTokens: 5 });
    await peer.request('no/such-method').catch(() => {});
    await peer.request('tools/call', {
      name: 'echo',
      arguments: { message: 'traced' },
      _meta: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    });
    const abort = new AbortController();
    const begun = peer.heard.lastProgress();
    const slow = call(
      peer,
      'trigger-long-running-operation',
      { duration: 30, steps: 60 },
      { signal: abort.signal, progress: true },
    );
    await begun;
    abort.abort('enough');
    await slow.catch(() => {});
    await peer.close();

    expect(comparable(receiver.spans)).toEqual(comparable(converted(file)));
    expect(outcomesOf(receiver.spans)).toEqual(
      expect.arrayContaining([
        'initialize: ok',
        'tools/call echo: ok',
        'no/such-method: -32601',
        'tools/call trigger-long-running-operation: cancelled',
        'MCP session: ok',
      ]),
    );
    const sampling = receiver.spans.find(({ name }) => name === 'sampling/createMessage')!;
    const around = receiver.spans.find(({ spanId }) => spanId === sampling.parentSpanId)!;
    expect(around.name).toBe('tools/call trigger-sampling-request');
    expect(receiver.spans.filter(({ traceId }) => traceId === '4bf92f3577b34da6a3ce929d0e0e4736')).toMatchObject([
      { name: 'tools/call echo', parentSpanId: '00f067aa0ba902b7', kind: 2 },
    ]);
    expect(JSON.stringify(receiver.requests)).not.toMatch(/said|rain/);
    // A cassette has the second of its start, a live trace all of it.
    expect(receiver.spans.every(({ startTimeUnixNano }) => BigInt(startTimeUnixNano) > before)).toBe(true);
  });

  it('spans reach the collector while the session goes on', async () => {
    await using receiver = await OtlpReceiver.start();
    const peer = await connectSdk1(recording(newFile(), receiver.url, everything));
    await call(peer, 'echo', { message: 'said' });
    await receiver.until(() => receiver.spans.some(({ name }) => name === 'tools/call echo'));
    expect(outcomesOf(receiver.spans)).not.toContain('MCP session: ok');
    await peer.close();
    expect(outcomesOf(receiver.spans)).toContain('MCP session: ok');
  });

  it('an absent collector costs the session nothing, and is said once with what to do', async () => {
    const receiver = await OtlpReceiver.start();
    const { url } = receiver;
    await receiver[Symbol.asyncDispose]();
    const { command, args } = recording(newFile(), url, fixture('answers.js'));
    await using running = new Running({ command, args }).read();
    running.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}\n');
    const { stdout, stderr, status } = await running.ended;
    expect([stdout.toString(), status]).toEqual([expect.stringContaining('"id":1'), 0]);
    expect(stderr).toContain(`Cannot send traces to ${url}/v1/traces: connect ECONNREFUSED`);
    expect(stderr.split('[OTLP_NOT_SENT]').length).toBe(2);
    expect(stderr).toContain('0 spans of this recording reached');
    expect(stderr).toContain('mcp-record convert');
  });

  it('a collector that never answers keeps no message and no end waiting', async () => {
    await using receiver = await OtlpReceiver.start();
    receiver.answers = Array.from({ length: 10 }, () => 'none' as const);
    const file = newFile();
    const { command, args } = recording(file, receiver.url, fixture('answers.js'));
    await using running = new Running({ command, args });
    const ask = async (id: number) => {
      running.child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":{}}\n`);
      expect(await running.line()).toContain(`"id":${id}`);
    };
    await ask(1);
    await receiver.until(() => receiver.calls === 1);
    await ask(2);
    running.child.stdin.end();
    const { stderr, status } = await running.read().ended;
    expect(status).toBe(0);
    expect(stderr).toContain('it does not answer in time. [OTLP_NOT_SENT]');
    expect(loadCassette(file).end).toBe('complete');
  });
});

describe('over HTTP', () => {
  it('each session is a trace of its own', async () => {
    await using receiver = await OtlpReceiver.start();
    await using upstream = await server('sdk-1.js', 'sse');
    const output = `${newFile().replace('.yaml', '')}/`;
    await using recorder = await record(upstream.url, output, '--otlp', receiver.url);
    const [one, other] = [await streamable1(recorder.url), await streamable1(recorder.url)];
    await Promise.all([call(one, 'add', { a: 1, b: 2 }), call(other, 'echo', { message: 'x' })]);
    await call(one, 'no-such-tool').catch(() => {});
    await one.close();
    await other.close();
    expect((await recorder.stop()).status).toBe(0);
    const files = readdirSync(output).map((name) => join(output, name));
    expect(files.length).toBe(2);
    const traces = [...new Set(receiver.spans.map(({ traceId }) => traceId))].map((id) =>
      receiver.spans.filter(({ traceId }) => traceId === id),
    );
    expect(traces.length).toBe(2);
    const sorted = (all: unknown[][]) => all.map((one) => JSON.stringify(one)).sort();
    expect(sorted(traces.map(comparable))).toEqual(sorted(files.map((file) => comparable(converted(file)))));
  });

  it('a session of 2026-07-28 has what its calls ask back, and a cancel by a closed stream', async () => {
    await using receiver = await OtlpReceiver.start();
    await using upstream = await server('modern.js');
    const file = newFile();
    const env = behind({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await using recorder = await record(upstream.url, file, '--otlp', env);
    const peer = await modern2(recorder.url);
    await call(peer, 'ask-model');
    await call(peer, 'fails');
    const abort = new AbortController();
    const begun = peer.heard.lastProgress();
    const slow = call(peer, 'waits', {}, { signal: abort.signal, progress: true });
    await begun;
    abort.abort('enough');
    await slow.catch(() => {});
    await peer.close();
    expect((await recorder.stop()).status).toBe(0);
    expect(comparable(receiver.spans)).toEqual(comparable(converted(file)));
    expect(outcomesOf(receiver.spans)).toEqual(
      expect.arrayContaining(['tools/call fails: tool_error', 'tools/call waits: cancelled']),
    );
    const [asked, answered] = receiver.spans.filter(({ name }) => name === 'tools/call ask-model');
    expect(attributesOf(asked!)).toMatchObject({
      'mcp_record.result_type': 'input_required',
      'mcp.protocol.version': '2026-07-28',
      'network.protocol.name': 'http',
    });
    expect(attributesOf(answered!)).not.toHaveProperty('mcp_record.result_type');
  });
});

describe('the command line', () => {
  it('also sends what record --lists asks', async () => {
    await using receiver = await OtlpReceiver.start();
    const { command, args } = everything;
    const words = ['record', '-o', newFile(), '--lists', '--otlp', receiver.url, '--', command, ...args];
    await using running = new Running(mcpRecord(...words)).read();
    expect((await running.ended).status).toBe(0);
    expect(outcomesOf(receiver.spans)).toEqual(expect.arrayContaining(['tools/list: ok', 'MCP session: ok']));
  });
});
