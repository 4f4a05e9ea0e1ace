/** `node cassette-memory.js idle|write|stream [COUNT] FILE`: does that and prints the most memory it took, in MB. */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { streamCassette } from '../dist/cassette/read/stream-cassette.js';
import { endText, eventText, headerText } from '../dist/cassette/write/format-event.js';

const [task, count, file] = process.argv.slice(2);

if (task === 'write') {
  const cassette = openSync(file, 'w');
  writeSync(cassette, headerText({ format: 'mcp-record/1', recorder: 'mcp-record bench', transport: 'stdio' }));
  const data = `{"result":{"content":[{"type":"text","text":"${'The quick brown fox. '.repeat(15)}"}]},"jsonrpc":"2.0","id":1}`;
  const events = eventText({ kind: 'line', on: 'protocol', at: 0, from: 'server', data }).repeat(1000);
  for (let written = 0; written < Number(count); written += 1000) writeSync(cassette, events);
  writeSync(cassette, endText('complete'));
}

if (task === 'stream') {
  const { events } = await streamCassette(file);
  let seen = 0;
  for await (const { frame } of events) if (frame.kind === 'message') seen++;
  if (seen !== Number(count)) throw new Error(`${seen} events of ${count}`);
}

// Not `maxRSS` of `resourceUsage`: that counts what the parent had when it started us.
const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
console.log(Math.round(kilobytes / 1024));
