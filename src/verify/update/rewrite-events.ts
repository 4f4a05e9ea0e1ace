import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import { parseCassette } from '../../cassette/read/parse-cassette.ts';
import { eventLines } from '../../cassette/write/format-event.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { exactValue } from '../../match/exact-json-value.ts';
import { without } from '../../match/ignore-rules.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { notUpdated } from './cassette-not-updated-error.ts';

/**
 * Replaces server messages in the text of a cassette, by event index. All other lines are kept, including details such
 * as `after`.
 * @throws McpRecordError CASSETTE_NOT_UPDATED if an event does not have the recorder's layout, or the file changed
 * since it was loaded
 */
export function rewriteEvents(cassette: Cassette, text: string, messages: ReadonlyMap<number, JsonText>): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const changes = [...messages].map(([event, json]) => ({ line: cassette.events[event]!.line, json }));
  for (const { line, json } of changes.sort((a, b) => b.line - a.line)) replaceMessage(lines, line, json);
  const rewritten = lines.join(newline);
  const wrong = strayed(cassette, rewritten, messages);
  if (wrong === undefined) return rewritten;
  throw notUpdated(
    `${cassette.file}:${wrong.line}`,
    'the event cannot be told from its surroundings, or the file has changed meanwhile',
  );
}

/** A line of a message, indented further than the keys of its event. */
const MESSAGE_LINE = /^(?: {3,}|\s*$)/;

function replaceMessage(lines: string[], line: number, json: JsonText): void {
  const start = line - 1;
  let end = start + 1;
  while (end < lines.length && MESSAGE_LINE.test(lines[end]!)) end++;
  // Trailing blank lines separate events. Blank lines inside the message are followed by more of it.
  while (lines[end - 1]?.trim() === '') end--;
  lines.splice(start, end - start, ...eventLines({ kind: 'message', at: 0, from: 'server', json }));
}

/** Returns the first event that is read differently than intended, or `undefined`. */
function strayed(
  { file, events }: Cassette,
  text: string,
  messages: ReadonlyMap<number, JsonText>,
): CassetteEvent | undefined {
  const found = parsed(text, file);
  const wrong = events.findIndex((event, index) => {
    const wanted = messages.get(index);
    const same = wanted ? { ...event.frame, json: wanted } : event.frame;
    return found[index] === undefined || meaning(found[index].frame) !== meaning(same);
  });
  return wrong < 0 && found.length > events.length ? events.at(-1) : events[wrong];
}

function parsed(text: string, file: string): CassetteEvent[] {
  try {
    return parseCassette(text, file).events;
  } catch {
    return [];
  }
}

/** Returns a frame as comparable text. `jsonrpc` is ignored, because reading a hand-written cassette adds it. */
function meaning(frame: object): string {
  const { json, ...rest } = frame as { json?: JsonText };
  return canonicalJson([rest, json && without(exactValue(json), ['/jsonrpc'])]);
}
