import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import type { Span } from '../../src/convert/otlp/otlp-types.ts';
import { SessionSpans } from '../../src/convert/otlp/session-spans.ts';
import { GrowingTrace } from '../../src/traces/growing-trace.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';

const newFile = freeNames(temporaryFolder());
const everything = join(import.meta.dirname, '..', '..', 'cassettes', 'everything.yaml');
const bytes = readFileSync(everything);
const made = { startedAt: 0, seed: 'seed' };

/** Spans of the whole cassette. */
const whole = (() => {
  const { header, events } = loadCassette(everything);
  const session = new SessionSpans({ header, ...made });
  return [...session.add(events), ...session.end()];
})();

/** The cassette up to the answer of `initialize`. */
const opening = bytes.subarray(0, bytes.indexOf('\n- ', bytes.indexOf('serverInfo:')) + 1);

function begin() {
  const path = newFile();
  writeFileSync(path, '');
  return { path, trace: new GrowingTrace({ path, ...made }) };
}

/** Lengths of the file after each write, when a recorder stops after every `step`th line break. */
function* cuts(step: number): Generator<number> {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) if (++lines % step === 0) yield at + 1;
  yield bytes.length;
}

describe('a cassette that grows', () => {
  it.each([1, 7, 100])('has the spans of the whole, where it is read after each %i lines', (step) => {
    const { path, trace } = begin();
    const spans: Span[] = [];
    let written = 0;
    for (const cut of cuts(step)) {
      appendFileSync(path, bytes.subarray(written, cut));
      written = cut;
      spans.push(...trace.read());
    }
    while (trace.hasMore) spans.push(...trace.read());
    expect(trace.isEnded).toBe(true);
    expect(spans).toEqual(whole);
  });

  it('has the span of its last event when the file has not changed between two readings', () => {
    const { path, trace } = begin();
    appendFileSync(path, opening);
    expect(trace.read()).toEqual([]);
    expect(trace.read()).toEqual([whole[0]]);
    expect(trace.read()).toEqual([]);
  });

  it('has no span twice after it was replaced, as by a last redaction', () => {
    const { path, trace } = begin();
    appendFileSync(path, bytes.subarray(0, bytes.length / 2));
    const spans = [...trace.read(), ...trace.read()];
    expect(spans.length).toBeGreaterThan(0);
    writeFileSync(`${path}.tmp`, bytes);
    renameSync(`${path}.tmp`, path);
    spans.push(...trace.read());
    expect(spans).toEqual(whole);
  });

  it('has no span twice after it was renamed', () => {
    const { path, trace } = begin();
    const half = bytes.indexOf('\n- ', bytes.length / 2) + 1;
    appendFileSync(path, bytes.subarray(0, half));
    const spans = trace.read();
    const renamed = newFile();
    renameSync(path, renamed);
    trace.rename(renamed);
    spans.push(...trace.read());
    appendFileSync(renamed, bytes.subarray(half));
    spans.push(...trace.read());
    expect(spans).toEqual(whole);
  });

  it('can be ended before its recording is', () => {
    const { path, trace } = begin();
    appendFileSync(path, opening);
    const spans = [...trace.read(), ...trace.end()];
    expect(spans.map(({ name }) => name)).toEqual(['initialize', 'MCP session']);
  });

  it('is an error when it is gone, or no cassette', () => {
    const gone = new GrowingTrace({ path: newFile(), ...made });
    expect(() => gone.read()).toThrow('[CASSETTE_NOT_FOUND]');
    const { path, trace } = begin();
    writeFileSync(path, `${'x: 1\n'.repeat(10_000)}events:\n- y\n- z\n`);
    expect(() => trace.read()).toThrow(/\[CASSETTE_/);
  });
});
