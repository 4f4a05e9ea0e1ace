#!/usr/bin/env node
// What a client starts as its server: joins it with the test that owns the mock server, by a socket. See src/adapters/mock-server/bridged-stdio-server.ts.
import { connect } from 'node:net';

const socket = connect(process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
process.stdout.on('error', () => socket.destroy());
socket.on('error', ({ message }) => {
  console.error(`mcp-record: the test that owns this mock server is over, or was never there (${message}).`);
  process.exitCode = 1;
});
socket.on('close', () => process.stdin.destroy());
