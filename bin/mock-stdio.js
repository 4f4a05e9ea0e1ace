#!/usr/bin/env node
// What a client starts as its server: joins it with the test that owns the mock server, by a socket. See src/adapters/mock-server/bridged-stdio-server.ts.
import { closeSync } from 'node:fs';
import { connect } from 'node:net';
import { encodePart, PartDecoder } from '../dist/adapters/mock-server/bridge-parts.js';

const socket = connect(process.argv[2]);

process.stdin.on('data', (data) => {
  if (socket.write(encodePart('protocol', data))) return;
  process.stdin.pause();
  socket.once('drain', () => process.stdin.resume());
});
process.stdin.on('end', () => socket.write(encodePart('close')));

/** Resolves when standard output is closed. */
let closed;
const parts = new PartDecoder((kind, data) => {
  if (kind === 'protocol') return write(process.stdout, data);
  if (kind === 'stderr') return write(process.stderr, data);
  // What was written before has to arrive. `process.stdout.end()` would leave the descriptor open, so that the client
  // would never see the end.
  closed ??= new Promise((resolve) => process.stdout.write('', resolve)).then(() => closeSync(1));
  if (kind === 'exit') closed.then(() => exit(data.toString()));
});
socket.on('data', (data) => parts.write(data));

function write(stream, data) {
  if (stream.write(data)) return;
  socket.pause();
  stream.once('drain', () => socket.resume());
}

function exit(status) {
  if (status.startsWith('SIG')) process.kill(process.pid, status);
  else process.exit(Number(status));
}

process.stdout.on('error', () => socket.destroy());
socket.on('error', ({ message }) => {
  console.error(`mcp-record: the test that owns this mock server is over, or was never there (${message}).`);
  process.exitCode = 1;
});
socket.on('close', () => process.stdin.destroy());
