import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { faulty, post } from '../scenario/faulty.ts';
import { CALL, rawServer } from '../scenario/servers.ts';

const RULES = [parseShortRule('drop:tools/other', 'http')];
const OK = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
const LIMITS = { bodyMax: 1_000 };
/** A request of 1,000 bytes whose last one its client does not send. */
const unfinished = post(`"${'x'.repeat(998)}"`).slice(0, -1);

describe('bodies of requests that a proxy with faults holds', () => {
  it('have a limit together: one is refused, said, and not passed on; a short one beside them passes', async () => {
    await using far = await rawServer();
    await using line = await faulty(far, RULES, 1, LIMITS);
    const clients = Array.from({ length: 5 }, () => line.client().says(unfinished));
    const refused = await Promise.race(clients.map(async (client) => await client.hears('HTTP_BODY_TOO_LONG')));
    expect(refused).toMatch(/^HTTP\/1.1 503 .*together longer than 4000 bytes/s);
    expect(line.troubles).toEqual([expect.stringContaining('[HTTP_BODY_TOO_LONG]')]);
    using beside = line.client().says(post(CALL));
    using server = await far.wire();
    await server.hears(CALL);
    server.says(OK);
    expect(await beside.hears('{}')).toMatch(/^HTTP\/1.1 200 /);
    for (const { socket } of clients) socket.destroy();
  });

  it('pass once they are complete, as long as there is room', async () => {
    await using far = await rawServer();
    await using line = await faulty(far, RULES, 1, LIMITS);
    const clients = Array.from({ length: 4 }, () => line.client().says(unfinished));
    for (const client of clients) {
      client.says('"');
      using server = await far.wire();
      await server.hears('xx"');
      server.says(OK);
      expect(await client.hears('{}')).toMatch(/^HTTP\/1.1 200 /);
    }
    expect(line.troubles).toEqual([]);
  });

  it('have a time limit', async () => {
    await using far = await rawServer();
    await using line = await faulty(far, RULES, 1, { requestWithin: 20 });
    using client = line.client().says(unfinished);
    expect(await client.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 408 /);
  });

  it('that are too long by themselves are refused, and said', async () => {
    await using far = await rawServer();
    await using line = await faulty(far, RULES, 1, LIMITS);
    using client = line.client().says(post('x'.repeat(1_001)));
    expect(await client.hears('HTTP_BODY_TOO_LONG')).toMatch(/^HTTP\/1.1 413 /);
    expect(line.troubles).toEqual([expect.stringContaining('[HTTP_BODY_TOO_LONG]')]);
  });
});

describe('bodies of answers that a proxy with faults holds', () => {
  const head = (type: string) => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n`;

  it.each([
    ['by itself', 1_001, 1, 'longer than 1000 bytes'],
    ['together', 999, 5, 'together longer than 4000 bytes'],
  ])('are refused where they are too long %s', async (_, length, count, why) => {
    await using far = await rawServer();
    await using line = await faulty(far, RULES, 1, LIMITS);
    const heard: Promise<string>[] = [];
    for (let n = 0; n < count; n++) {
      heard.push(line.client().says(post(CALL)).hears('HTTP_BODY_TOO_LONG'));
      const server = await far.wire();
      await server.hears(CALL);
      server.says(`${head('application/json')}${'x'.repeat(length)}`);
    }
    expect(await Promise.race(heard)).toMatch(/^HTTP\/1.1 502 /);
    expect(line.troubles).toEqual([expect.stringContaining(why)]);
  });

  it('that are events end their stream', async () => {
    await using far = await rawServer();
    await using line = await faulty(far, RULES, 1, LIMITS);
    using client = line.client().says(post(CALL));
    using server = await far.wire();
    await server.hears(CALL);
    server.says(`${head('text/event-stream')}data: {"a":1}\n\n`);
    await client.hears('"a"');
    server.says(`data: ${'x'.repeat(1_001)}`);
    await once(client.socket, 'end');
    expect(line.troubles).toEqual([expect.stringContaining('[HTTP_BODY_TOO_LONG]')]);
  });
});
