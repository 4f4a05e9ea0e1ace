// `floor-replay.js FILE`: the cheapest thinkable replay. FILE holds lines of JSON, a request and its result by turns; they are all
// parsed at the start, and what is asked is found by its method and params.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const key = ({ method, params }) => JSON.stringify([method, params]);
const results = new Map();
const lines = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
for (let n = 0; n < lines.length; n += 2) results.set(key(JSON.parse(lines[n])), JSON.parse(lines[n + 1]));

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  const result = results.get(key(request));
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result })}\n`);
});
