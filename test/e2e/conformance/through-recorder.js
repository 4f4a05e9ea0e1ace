#!/usr/bin/env node
/**
 * `through-recorder.js FOLDER URL`: the client with a recorder before the server, which leaves its tapes in the folder. The
 * authorization server that sends its user back (RFC 9207) is not the recorder, which it gets its tokens from.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , folder, url] = process.argv;
const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'mcp-record.js');
const options = ['--http', url, '--listen', '127.0.0.1:0', '-o', `${folder}/`];

const recorder = spawn(process.execPath, [bin, 'record', ...options], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const status = await new Promise((resolve, reject) => {
  recorder.once('exit', () => reject(new Error('The recorder ended first')));
  createInterface(recorder.stderr).on('line', (line) => {
    console.error(line);
    const listens = /listening on (\S+) for/.exec(line)?.[1];
    if (listens) resolve(runClient(listens));
  });
});
recorder.removeAllListeners('exit').kill();
await once(recorder, 'exit');
process.exit(status);

async function runClient(listens) {
  const client = spawn(process.execPath, [join(import.meta.dirname, 'client.js'), listens, '--any-issuer'], {
    stdio: 'inherit',
  });
  const [code] = await once(client, 'exit');
  return code ?? 1;
}
