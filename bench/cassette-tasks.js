/** Messages to write to a cassette and to load from one, and the same done by JSON. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadCassette } from '../dist/cassette/read/load-cassette.js';
import { parseCassette } from '../dist/cassette/read/parse-cassette.js';
import { endText, eventText, headerText } from '../dist/cassette/write/format-event.js';

/** Lines of JSON, by what they hold. */
export const CORPORA = {
  'real sessions': realSessions,
  'small calls': smallCalls,
  'long texts': () => [answer('Lorem ipsum "dolor" sit amet,\nconsectetur.\n'.repeat(25_000))],
  base64: () => [answer(Buffer.alloc(750_000, 'mcp').toString('base64'))],
  'other scripts': () => [answer('日本語のテキスト、😀 ключ. '.repeat(50_000))],
};

/** By deed, what each contender does with lines. */
export const tasksOf = {
  write: (lines) => {
    const messages = lines.map((line) => JSON.parse(line));
    const frames = lines.map(frame);
    const buffer = Buffer.alloc(4 * Math.max(...lines.map(({ length }) => length)) + 1024);
    return {
      JSON: () => {
        for (const message of messages) buffer.write(JSON.stringify(message), 0, 'utf8');
      },
      'mcp-record': () => {
        for (const each of frames) buffer.write(eventText(each), 0, 'utf8');
      },
    };
  },
  load: (lines) => {
    const json = Buffer.from(lines.join('\n'));
    const events = lines.map((line) => eventText(frame(line)));
    const cassette = Buffer.from([headerText(HEADER), ...events, endText('complete')].join(''));
    return {
      JSON: () => {
        const messages = [];
        for (const line of json.toString('utf8').split('\n')) messages.push(JSON.parse(line));
        return messages;
      },
      'mcp-record': () => parseCassette(cassette, 'bench.yaml'),
    };
  },
};

const HEADER = { format: 'mcp-record/1', recorder: 'mcp-record bench', transport: 'stdio' };

/** What the sessions in `cassettes/` hold, as lines. */
function realSessions() {
  const folder = join(import.meta.dirname, '..', 'cassettes');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => loadCassette(join(folder, file)).events)
    .flatMap(({ frame }) => (frame.kind === 'message' ? [frame.json.text] : []));
}

function smallCalls() {
  return Array.from({ length: 5_000 }, (_, id) => [
    `{"method":"tools/call","params":{"name":"get-sum","arguments":{"a":${id},"b":2.5},"_meta":{"progressToken":8}},"jsonrpc":"2.0","id":${id}}`,
    `{"result":{"content":[{"type":"text","text":"The sum of ${id} and 2.5 is ${id + 2.5}."}],"structuredContent":{"sum":${id + 2.5}},"isError":false},"jsonrpc":"2.0","id":${id}}`,
  ]).flat();
}

function answer(text) {
  return JSON.stringify({ result: { content: [{ type: 'text', text }] }, jsonrpc: '2.0', id: 1 });
}

function frame(line) {
  return { kind: 'line', on: 'protocol', at: 0, from: 'server', data: line };
}
