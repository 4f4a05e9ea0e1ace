#!/usr/bin/env node
/**
 * `through-mock.js FOLDER CLIENT… URL`: runs the client's command twice: with a recorder before the server at the URL, and against
 * the mock server that plays what was recorded, with the authorization server of that alone. Leaves in `FOLDER/SCENARIO/logins.json`
 * how both runs ended, and the requests of both logins. The status is that of the first run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , folder, command, ...rest] = process.argv;
const url = rest.pop();
const bin = join(import.meta.dirname, '..', '..', '..', 'bin', 'mcp-record.js');
const { MCP_CONFORMANCE_SCENARIO: scenario = 'scenario' } = process.env;
const place = join(folder, scenario);
mkdirSync(place, { recursive: true });

/** A mcp-record that listens, where it does, and what it says. */
async function listening(...args) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = [];
  const lines = createInterface(child.stderr).on('line', (line) => said.push(line));
  const exit = once(child, 'exit');
  const at = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const listens = /listening on (\S+) for/.exec(line)?.[1];
      if (listens) resolve(listens);
    });
    exit.then(() => reject(new Error(`It ended first: ${said.join('\n')}`)));
  });
  return {
    at,
    said,
    async stop() {
      child.kill();
      await exit;
    },
  };
}

/** Runs the client before a recorder of the server, and returns how it ended and the cassettes. */
async function recorded(server, name) {
  const output = join(place, name);
  const recorder = await listening(
    'record',
    '--http',
    server,
    '--listen',
    '127.0.0.1:0',
    '--keep-authorization',
    '-o',
    `${output}/`,
  );
  const client = spawn(command, [...rest, recorder.at], { stdio: 'inherit' });
  const [status] = await once(client, 'exit');
  await recorder.stop();
  return { status: status ?? 1, output };
}

/** The steps of the logins in cassettes: the request, and the status of its response. */
function loginOf(output) {
  const texts = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/^- authorization:\n(?: {4}.*\n)*/gm)].map(([event]) => {
      const [, request] = /^ {4}request: (\S+)$/m.exec(event) ?? [];
      const [, status] = /^ {4}status: (\d+)$/m.exec(event) ?? [];
      return `${request} ${status}`;
    }),
  );
}

const direct = await recorded(url, 'server');
const mock = await listening('replay', '--http', '--auth', `${direct.output}/`);
const replayed = await recorded(mock.at, 'mock');
await mock.stop();
const logins = {
  server: { status: direct.status, login: loginOf(direct.output) },
  mock: { status: replayed.status, login: loginOf(replayed.output), said: mock.said },
};
writeFileSync(join(place, 'logins.json'), JSON.stringify(logins, null, 2));
process.exit(direct.status);
