#!/usr/bin/env node
/**
 * `through-recorder.js FOLDER CLIENT… URL`: runs the client's command with a recorder before the server at the URL. The recorder
 * leaves in the folder its cassettes, and what it said in `SCENARIO.log`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , folder, command, ...rest] = process.argv;
const url = rest.pop();
const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'mcp-record.js');
const { MCP_CONFORMANCE_SCENARIO: scenario = 'scenario' } = process.env;
const options = ['--http', url, '--listen', '127.0.0.1:0', '-o', `${join(folder, 'cassettes')}/`];

const recorder = spawn(process.execPath, [bin, 'record', ...options], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const said = [];
const status = await new Promise((resolve, reject) => {
  recorder.once('exit', () => reject(new Error(`The recorder ended first: ${said.join('\n')}`)));
  createInterface(recorder.stderr).on('line', (line) => {
    said.push(line);
    console.error(line);
    const listens = /listening on (\S+) for/.exec(line)?.[1];
    if (listens) resolve(runClient(listens));
  });
});
recorder.removeAllListeners('exit').kill();
await once(recorder, 'exit');
const log = join(folder, 'logs', `${scenario}.log`);
mkdirSync(dirname(log), { recursive: true });
writeFileSync(log, `${said.join('\n')}\n`);
process.exit(status);

async function runClient(listens) {
  const client = spawn(command, [...rest, listens], { stdio: 'inherit' });
  const [code] = await once(client, 'exit');
  return code ?? 1;
}
