#!/usr/bin/env node
/**
 * `npm run demo`: records a real client and a real server, ends the server, plays its side of the cassette to the same
 * client, and shows that the client saw the same. Exits with 1 if it did not.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { converse } from './conversation.js';

const cli = join(import.meta.dirname, '..', 'bin', 'mcp-record.js');
const everything = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
);
const server = [process.execPath, join(everything, 'dist', 'index.js'), 'stdio'];
const cassette = join(mkdtempSync(join(tmpdir(), 'mcp-record-demo-')), 'session.yaml');

title('Record', 'a client on the MCP SDK talks to server-everything, with mcp-record in between');
const live = await converse(process.execPath, [cli, 'record', '-o', cassette, '--', ...server]);
tell(live);
say(`The server has ended. What passed is in ${cassette} (${Math.ceil(statSync(cassette).size / 1024)} kB).`);

title('Replay', 'the same client again, with the cassette in the place of the server');
const replayed = await converse(process.execPath, [cli, 'replay', cassette]);
tell(replayed);

title('Compare', 'what the client saw, message by message');
const same = isDeepStrictEqual(inOrder(live.seen), inOrder(replayed.seen));
say(
  same ? `The same, all ${live.seen.length} of them.` : `NOT the same: ${cassette} did not replay as it was recorded.`,
);

title('Show', `mcp-record show ${cassette}`);
const env = { COLUMNS: '110', ...process.env };
const { status } = spawnSync(process.execPath, [cli, 'show', cassette], { stdio: 'inherit', env });

process.exitCode = same && status === 0 ? 0 : 1;

function title(name, what) {
  console.log(`\n── ${name}: ${what}\n`);
}

/** Answers by id: those of calls that overlap may come in any order. */
function inOrder(seen) {
  const isAnswer = ({ method }) => method === undefined;
  return [...seen.filter((message) => !isAnswer(message)), ...seen.filter(isAnswer).sort((a, b) => a.id - b.id)];
}

function tell({ seen, took }) {
  const count = (test) => seen.filter(test).length;
  const answers = count(({ method }) => method === undefined);
  const requests = count(({ method, id }) => method !== undefined && id !== undefined);
  const notifications = seen.length - answers - requests;
  say(
    `The client got ${answers} answers, ${notifications} notifications and ${requests} requests in ${Math.round(took)} ms.`,
  );
}

function say(text) {
  console.log(`   ${text}`);
}
