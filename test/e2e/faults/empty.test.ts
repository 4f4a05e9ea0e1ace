import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALL, rawServer } from '../../scenario/servers.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, Running } from '../../support/process.ts';
import { Wire } from '../../transports/http/wire.ts';
import { proxy } from '../http/processes.ts';

const empty = join(temporaryFolder(), 'none.yaml');
writeFileSync(empty, 'faults: []\n');

const EVENT = `data: ${CALL}\n\n`;
const HALF = EVENT.slice(0, 50);

/** A client of a proxy, and the server that it has asked, which has said its head and half an event. */
async function halfSaid(options: readonly string[]) {
  const far = await rawServer();
  const line = await proxy(new URL('/mcp', far.origin), ...options);
  const client = new Wire(connect(Number(line.url.port), line.url.hostname));
  client.says(`POST /mcp HTTP/1.1\r\nHost: ${line.url.host}\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`);
  const server = await far.wire();
  await server.hears(CALL);
  server.says(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n${HALF}`);
  return {
    client,
    server,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await line[Symbol.asyncDispose]();
      await far[Symbol.asyncDispose]();
    },
  };
}

/** What misbehaves needs a message whole. That half of one passes shows that a file without rules is no other way than none. */
describe.each([
  ['no file of rules', []],
  ['one without any', ['--faults', empty]],
])('with %s half a message goes on at once', (_, options) => {
  it('over stdio', async () => {
    const { command, args } = fixture('cat.js');
    await using running = new Running(mcpRecord('proxy', ...options, '--', command, ...args));
    running.child.stdin.write('{"jsonrpc":');
    const [heard] = await once(running.child.stdout, 'data');
    expect(String(heard)).toBe('{"jsonrpc":');
  });

  it('over HTTP', async () => {
    await using line = await halfSaid(options);
    expect(await line.client.hears(HALF)).not.toContain(EVENT);
  });
});

it('with a rule it waits for the other half', async () => {
  await using line = await halfSaid(['--fault', 'latency:x/y:delay=1']);
  await line.client.hears('\r\n\r\n');
  line.server.says(EVENT.slice(HALF.length));
  expect(await line.client.hears(EVENT)).toBe(`${EVENT.length.toString(16)}\r\n${EVENT}\r\n`);
});
