import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { type CutOptions, keepSelectedEvents } from '../../../src/edit/cut/keep-selected-events.ts';
import { lint } from '../../../src/lint/lint.ts';
import { isRequest, paramsOf } from '../../../src/protocol/message.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { REAL_CASSETTES } from '../real-cassettes.ts';
import { sdkReplay } from '../sdk-replay.ts';

const folder = temporaryFolder();

/** The tool calls of a cassette in order, as text. */
function callsOf(text: string): { tool: string; json: string }[] {
  return eventsToEntries(parseCassette(text, 'cut.yaml').events).flatMap(({ from, message, json }) =>
    from === 'client' && isRequest(message) && message.method === 'tools/call'
      ? [{ tool: String(paramsOf(message).name), json: json!.text }]
      : [],
  );
}

/** Plays what is left of a cassette to a client of the SDK: every answer is the recorded one, and the mock server finds nothing. */
async function replays(text: string): Promise<void> {
  const file = join(folder, 'cut.yaml');
  writeFileSync(file, text);
  const { calls, findings } = await sdkReplay(file);
  expect(findings).toEqual([]);
  expect(calls.map(({ replayed }) => replayed)).toEqual(calls.map(({ recorded }) => recorded));
  expect(calls.filter(({ method }) => method === 'tools/call')).toHaveLength(answeredCalls(text));
}

/** How many tool calls of a cassette were answered. A client of the SDK makes those that bring input by itself. */
function answeredCalls(text: string): number {
  const entries = eventsToEntries(parseCassette(text, 'cut.yaml').events);
  const { answerOf } = correlateEntries(entries);
  return entries.filter(
    ({ index, from, message }) =>
      from === 'client' &&
      isRequest(message) &&
      message.method === 'tools/call' &&
      !('inputResponses' in paramsOf(message)) &&
      answerOf.has(index),
  ).length;
}

/** The lines of `part`, but for times, are lines of `whole` in their order. */
function expectLinesOf(part: string, whole: string): void {
  const isTime = (line: string) => /^\s*after: /.test(line);
  const lines = whole.split('\n').filter((line) => !isTime(line));
  let at = 0;
  for (const line of part.split('\n').filter((one) => !isTime(one))) {
    const found = lines.indexOf(line, at);
    expect(found, line).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
}

describe.each(REAL_CASSETTES)('$file', ({ file, text }) => {
  const cut = (options: CutOptions) => keepSelectedEvents(text, file, options).text;
  const calls = callsOf(text);
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  const breaches = new Set(lint(parseCassette(text, file)).map(({ rule, why }) => `${rule} ${why}`));

  it('is the same to the byte where all of it is kept', () => {
    const last = text.split('\n').length - 1;
    expect(cut({ selection: { lines: [{ first: 1, last }] } })).toBe(text);
  });

  it.each(tools)('cut to %s has all calls of it, and replays', async (tool) => {
    const kept = cut({ selection: { tools: [tool] } });
    expect(callsOf(kept).filter((call) => call.tool === tool)).toEqual(calls.filter((call) => call.tool === tool));
    expectLinesOf(kept, text);
    expect(lint(parseCassette(kept, file)).filter(({ rule, why }) => !breaches.has(`${rule} ${why}`))).toEqual([]);
    await replays(kept);
  });

  it.each(tools)('without %s has all calls of the others, and replays', async (tool) => {
    const kept = cut({ selection: { tools: [tool] }, drop: true });
    expect(callsOf(kept)).toEqual(calls.filter((call) => call.tool !== tool));
    expectLinesOf(kept, text);
    expect(lint(parseCassette(kept, file)).filter(({ rule, why }) => !breaches.has(`${rule} ${why}`))).toEqual([]);
    await replays(kept);
  });
});
