import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { keepSelectedEvents } from '../../../src/edit/cut/keep-selected-events.ts';
import { mergeCassettes } from '../../../src/edit/merge/merge-cassettes.ts';
import { lint } from '../../../src/lint/lint.ts';
import { isRequest, paramsOf } from '../../../src/protocol/message.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { REAL_CASSETTES } from '../real-cassettes.ts';
import { sdkReplay } from '../sdk-replay.ts';

const folder = temporaryFolder();

/** The tool calls of a cassette, whatever their ids and order. */
function callsOf(text: string): string[] {
  return eventsToEntries(parseCassette(text, 'merged.yaml').events)
    .flatMap(({ from, message }) => {
      if (from === 'server' || !isRequest(message) || message.method !== 'tools/call') return [];
      const { _meta, ...params } = paramsOf(message);
      return [JSON.stringify(params)];
    })
    .sort();
}

async function replays(text: string): Promise<void> {
  const file = join(folder, 'merged.yaml');
  writeFileSync(file, text);
  const { calls, findings } = await sdkReplay(file);
  expect(findings).toEqual([]);
  expect(calls.map(({ replayed }) => replayed)).toEqual(calls.map(({ recorded }) => recorded));
}

describe.each(REAL_CASSETTES)('$file', ({ file, text }) => {
  const breaches = new Set(lint(parseCassette(text, file)).map(({ rule }) => rule));
  const tools = [...new Set(callsOf(text).map((call) => String(JSON.parse(call).name)))];

  it('is merged of its cuts by tool, and what has no tool, and replays', async () => {
    const parts = tools.map((tool) => ({
      file: `${tool}.yaml`,
      text: keepSelectedEvents(text, file, { selection: { tools: [tool] } }).text,
    }));
    // A call that is in two cuts, as it belongs to calls of both, is made twice then.
    const { text: rest } = keepSelectedEvents(text, file, { selection: { tools }, drop: true });
    const merged = mergeCassettes([{ file: 'rest.yaml', text: rest }, ...parts], 'merged.yaml');
    const all = [rest, ...parts.map((part) => part.text)].flatMap(callsOf).sort();
    expect(callsOf(merged.text)).toEqual(all);
    expect(new Set(all)).toEqual(new Set(callsOf(text)));
    expect(lint(parseCassette(merged.text, file)).filter(({ rule }) => !breaches.has(rule))).toEqual([]);
    await replays(merged.text);
  });

  it('is merged with itself: every call is there twice, with ids of its own', async () => {
    const merged = mergeCassettes(
      [
        { file, text },
        { file: 'again.yaml', text },
      ],
      'merged.yaml',
    );
    expect(callsOf(merged.text)).toEqual([...callsOf(text), ...callsOf(text)].sort());
    expect(lint(parseCassette(merged.text, file)).filter(({ rule }) => !breaches.has(rule))).toEqual([]);
    await replays(merged.text);
  });
});
