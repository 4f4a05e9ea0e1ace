// `floor-replay.js FILE`: the cheapest thinkable replay. FILE holds requests and their results by turns, as lines of JSON or on a
// cassette; all of it is read and parsed at the start, and what is asked is found by its method and params.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const key = ({ method, params }) => JSON.stringify([method, params]);
const results = new Map();
const file = process.argv[2];
if (file.endsWith('.yaml')) await readCassette();
else readLines();

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  const result = results.get(key(request));
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result })}\n`);
});

function readLines() {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  for (let n = 0; n < lines.length; n += 2) results.set(key(JSON.parse(lines[n])), JSON.parse(lines[n + 1]));
}

async function readCassette() {
  const { loadCassette } = await import('../dist/cassette/read/load-cassette.js');
  let asked;
  for (const { frame } of loadCassette(file).events) {
    const message = frame.json.value;
    if ('result' in message) results.set(key(asked), message.result);
    else asked = message;
  }
}
