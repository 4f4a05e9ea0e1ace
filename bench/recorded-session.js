/** The session of `long-cassette.js` as a recorder writes it. */
import { eventText, headerText } from '../dist/cassette/write/format-event.js';
import { JsonText } from '../dist/protocol/json-text.js';
import { longCassette } from './long-cassette.js';

export const HEADER = headerText({
  format: 'mcp-record/1',
  recorder: 'mcp-record 0.0.0',
  recorded: '2026-01-01T00:00:00Z',
  transport: 'stdio',
});

/** The texts of its events, each as a recorder adds it to the file. */
export function recordedEvents(count) {
  const lines = longCassette(count).split('\n- ').slice(1);
  return lines.map((line) => {
    const [, from, json, after] = /^(client|server): (.*?)(?:\n {2}after: (\d+))?\n?$/s.exec(line);
    return eventText({ kind: 'message', from, at: 0, json: new JsonText(json) }, ...(after ? [Number(after)] : []));
  });
}
