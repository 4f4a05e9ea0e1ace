import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cancel } from '../../src/kernel/clock.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { otlpTarget } from '../../src/traces/otlp-target.ts';
import { END_MS_MAX, QUEUE_MAX, TraceExporter } from '../../src/traces/trace-exporter.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { OtlpReceiver } from '../support/otlp-receiver.ts';

const newFile = freeNames(temporaryFolder());
const bytes = readFileSync(join(import.meta.dirname, '..', '..', 'cassettes', 'everything.yaml'));
const SPANS = 72;

/** A clock that a test can wait for: until something asks it for this delay. */
class AwaitedClock extends ManualClock {
  readonly delays: number[] = [];
  #asked = () => {};

  override after(delay: number, task: () => void): Cancel {
    const cancel = super.after(delay, task);
    this.delays.push(delay);
    this.#asked();
    return cancel;
  }

  /** Waits until the exporter pauses, for the `count`th time from now on, and lets the pause pass. */
  async pass(pause: number): Promise<void> {
    while (this.delays.at(-1) !== pause)
      await new Promise<void>((resolve) => {
        this.#asked = resolve;
      });
    this.delays.length = 0;
    this.advance(pause);
  }
}

async function begin(content: Uint8Array = bytes) {
  const receiver = await OtlpReceiver.start();
  const clock = new AwaitedClock();
  const failures: string[] = [];
  const exporter = new TraceExporter({
    target: otlpTarget(receiver.url, {}),
    creator: { name: 'mcp-record', version: '0' },
    clock,
    failed: (why) => failures.push(why),
  });
  const path = newFile();
  writeFileSync(path, content);
  exporter.open(0, { path, startedAt: 0, seed: path });
  return { receiver, clock, failures, exporter, path, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

/** A cassette with `count` answered requests and no end. */
function calls(count: number): Buffer {
  const head = bytes.subarray(0, bytes.indexOf('\n- ') + 1).toString();
  const pairs = Array.from(
    { length: count },
    (_, id) => `- client: {"id":${id},"method":"ping"}\n- server: {"id":${id},"result":{}}\n`,
  );
  return Buffer.from(head + pairs.join(''));
}

describe('an exporter', () => {
  it('sends the spans of a cassette, each once', async () => {
    await using session = await begin();
    const { receiver, clock, exporter, failures } = session;
    await clock.pass(1_000);
    await receiver.until(() => receiver.spans.length === SPANS);
    await clock.pass(1_000);
    expect(await exporter.end()).toEqual({ sent: SPANS, refused: 0, isCut: false });
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(SPANS);
    expect(failures).toEqual([]);
  });

  it('sends what is left at the end, also of a cassette that goes on', async () => {
    await using session = await begin(calls(3));
    const { receiver, exporter } = session;
    expect(await exporter.end()).toEqual({ sent: 4, refused: 0, isCut: false });
    expect(receiver.spans.map(({ name }) => name)).toEqual(['ping', 'ping', 'ping', 'MCP session']);
  });

  it('sends what comes meanwhile', async () => {
    await using session = await begin(calls(1));
    const { receiver, clock, exporter, path } = session;
    await clock.pass(1_000);
    appendFileSync(path, '- client: {"id":9,"method":"tools/list"}\n- server: {"id":9,"result":{}}\n');
    await clock.pass(1_000);
    await receiver.until(() => receiver.spans.length >= 1);
    expect(await exporter.end()).toMatchObject({ sent: 3 });
    expect(receiver.spans.map(({ name }) => name)).toEqual(['ping', 'tools/list', 'MCP session']);
  });

  it('sends the same again after a failure that may pass, with growing pauses, and says it once', async () => {
    await using session = await begin();
    const { receiver, clock, exporter, failures } = session;
    receiver.answers = [{ status: 503 }, { status: 429, headers: { 'retry-after': '20' } }, { status: 502 }];
    await clock.pass(1_000);
    await receiver.until(() => receiver.calls === 1);
    await clock.pass(1_000);
    await receiver.until(() => receiver.calls === 2);
    await clock.pass(20_000);
    await receiver.until(() => receiver.calls === 3);
    await clock.pass(30_000);
    await receiver.until(() => receiver.spans.length === SPANS);
    expect(await exporter.end()).toEqual({ sent: SPANS, refused: 0, isCut: false });
    expect(failures).toEqual(['it answers with HTTP 503']);
  });

  it('counts what the collector refuses, and goes on', async () => {
    await using session = await begin(calls(600));
    const { receiver, exporter, failures } = session;
    receiver.answers = [{ status: 400 }, { status: 200, body: '{"partialSuccess":{"rejectedSpans":2}}' }];
    expect(await exporter.end()).toEqual({ sent: 87, refused: 514, isCut: false });
    expect(failures).toEqual(['it answers with HTTP 400']);
  });

  it('ends within its time, although the collector does not answer', async () => {
    await using session = await begin();
    const { receiver, clock, exporter, failures } = session;
    receiver.answers = ['none', 'none', 'none'];
    await clock.pass(1_000);
    await receiver.until(() => receiver.calls === 1);
    const ended = exporter.end();
    clock.advance(END_MS_MAX);
    expect(await ended).toEqual({ sent: 0, refused: 0, isCut: true });
    expect(failures).toEqual(['it does not answer in time']);
  });

  it('gives a collector ten seconds for an answer', async () => {
    await using session = await begin();
    const { receiver, clock, exporter, failures } = session;
    receiver.answers = ['none'];
    await clock.pass(1_000);
    await receiver.until(() => receiver.calls === 1);
    clock.advance(9_999);
    expect(failures).toEqual([]);
    await clock.pass(10_000);
    await clock.pass(1_000);
    await receiver.until(() => receiver.spans.length === SPANS);
    expect(await exporter.end()).toMatchObject({ sent: SPANS, isCut: false });
  });

  it('leaves on the disk what the collector does not take, and sends it later', async () => {
    const count = 12_000;
    await using session = await begin(calls(count));
    const { receiver, clock, exporter } = session;
    receiver.answers = [{ status: 503 }];
    await clock.pass(1_000);
    await receiver.until(() => receiver.calls === 1);
    expect(exporter.waiting).toBeGreaterThanOrEqual(QUEUE_MAX);
    expect(exporter.waiting).toBeLessThan(count / 2);
    expect(await exporter.end()).toEqual({ sent: count + 1, refused: 0, isCut: false });
    expect(receiver.requests.every(({ resourceSpans }) => resourceSpans[0]!.scopeSpans[0]!.spans.length <= 512)).toBe(
      true,
    );
  });

  it('says that a cassette is gone, and goes on with others', async () => {
    await using session = await begin(calls(1));
    const { receiver, exporter, path, failures } = session;
    const other = newFile();
    writeFileSync(other, calls(2));
    exporter.open(1, { path: other, startedAt: 0, seed: other });
    rmSync(path);
    expect(await exporter.end()).toEqual({ sent: 3, refused: 0, isCut: true });
    expect(failures).toEqual([expect.stringContaining('the cassette cannot be read')]);
    expect(receiver.spans.length).toBe(3);
  });

  it('without a cassette ends at once', async () => {
    const exporter = new TraceExporter({
      target: otlpTarget('http://127.0.0.1:1', {}),
      creator: { name: 'x', version: '0' },
      clock: new ManualClock(),
      failed: expect.unreachable,
    });
    expect(await exporter.end()).toEqual({ sent: 0, refused: 0, isCut: false });
  });
});
