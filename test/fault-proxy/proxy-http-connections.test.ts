import { describe, expect, it } from 'vitest';
import { drop } from '../../src/faults/messages/drop.ts';
import { duplicate } from '../../src/faults/messages/duplicate.ts';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { faulty, observed, post } from '../scenario/faulty.ts';
import { CALL, liveServer, rawServer, replayedServer } from '../scenario/servers.ts';

/** What `fetch` makes of an answer: its whole body, or what went wrong: its name where not every Node gives it a code. */
async function fetched(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: CALL });
    return `${response.status}: ${(await response.text()).length} characters`;
  } catch (error) {
    const { name, code } = (error as Error).cause as NodeJS.ErrnoException;
    return name === 'HTTPParserError' ? name : (code ?? String(error));
  }
}

describe.each([
  ['live', liveServer],
  ['replayed', replayedServer],
])('four ends are four things to a client that fetches, of a %s server', (_, start) => {
  it.each([
    ['end:tools/call', '200: 0 characters', '200: 101 characters'],
    ['cut:tools/call', 'UND_ERR_SOCKET', 'UND_ERR_SOCKET'],
    ['cut:tools/call:bytes=5', 'UND_ERR_SOCKET', 'UND_ERR_SOCKET'],
    ['truncate:tools/call', 'UND_ERR_SOCKET', '200: 111 characters'],
    ['reset:tools/call', 'ECONNRESET', 'ECONNRESET'],
    ['corrupt:tools/call:kind=framing', 'HTTPParserError', 'HTTPParserError'],
    ['down', 'ECONNREFUSED', 'ECONNREFUSED'],
  ])('%s: %s in a body, %s in a stream', async (fault, body, stream) => {
    const seen: string[] = [];
    for (const form of ['json', 'sse'] as const) {
      await using far = await start(form);
      await using line = await faulty(far, [parseShortRule(fault, 'http')]);
      const answer = fetched(line.url);
      await line.passing(answer);
      seen.push(await answer);
    }
    expect(seen).toEqual([body, stream]);
  });
});

it('a half-closed connection takes no further request, and says nothing of that before', async () => {
  await using far = await liveServer('json');
  await using line = await faulty(far, [parseShortRule('half-close', 'http')]);
  using client = line.client().says(post(CALL).replace('Connection: close', 'Connection: keep-alive'));
  expect(await observed(client)).toBe('200 json 0/0 end');
});

it('a server that has exited is there no more, and its calls in flight are lost', async () => {
  await using far = await liveServer('json');
  const rules = ['stall:tools/call:times=1', 'exit:tools/list:status=7'];
  await using line = await faulty(
    far,
    rules.map((rule) => ({ ...parseShortRule(rule.replace(':times=1', ''), 'http'), times: 1 })),
  );
  using waiting = line.client().says(post(CALL));
  await line.firing(1);
  using ending = line.client().says(post(CALL.replace('tools/call', 'tools/list')));
  expect([await observed(waiting), await observed(ending)]).toEqual(['nothing end', 'nothing end']);
  expect(await line.proxy.exited).toBe(7);
  expect(await observed(line.client())).toBe('nothing ECONNREFUSED');
});

it('a server that is down comes back after its time', async () => {
  await using far = await liveServer('json');
  await using line = await faulty(far, [{ ...parseShortRule('down::for=50', 'http'), when: { kind: 'response' } }]);
  using lost = line.client().says(post(CALL));
  expect(await observed(lost)).toBe('nothing end');
  expect(await observed(line.client())).toBe('nothing ECONNREFUSED');
  line.clock.advance(50);
  await line.listening();
  using client = line.client().says(post(CALL));
  expect(await observed(client)).toBe('200 json 47/47 ANSWER end');
});

it.each(['latency:tools/other:delay=5', 'slow-close::for=100'])(
  'a client that leaves is gone at the server: %s',
  async (fault) => {
    await using far = await rawServer();
    await using line = await faulty(far, [parseShortRule(fault, 'http')]);
    using client = line.client().says(post(CALL));
    using server = await far.wire();
    await server.hears(CALL);
    client.socket.resetAndDestroy();
    if (fault.startsWith('slow')) {
      await line.firing(1);
      server.says('HTTP/1.1 100 Continue\r\n\r\n');
      line.clock.advance(100);
    }
    expect(await server.left).toBe('ECONNRESET');
  },
);

const damaged = CALL.replace('{"', '{#');

it.each([
  ['corrupt', `98/98 ${damaged}`, undefined],
  ['truncate', `10/98 ${CALL.slice(0, 10)}`, 'end'],
  ['slice::size=50,gap=0', '98/98 CALL', undefined],
  ['oversize::bytes=100', `100/100 {  ${CALL.slice(1)}`, undefined],
  ['cut::bytes=5', `5/98 ${CALL.slice(0, 5)}`, 'end'],
  ['reset::bytes=5', `5/98 ${CALL.slice(0, 5)}`, 'ECONNRESET'],
])('a request is damaged on its way by %s', async (text, arrives, left) => {
  await using far = await rawServer();
  await using line = await faulty(far, [{ ...parseShortRule(text, 'http'), when: { from: 'client' } }]);
  using _client = line.client().says(post(CALL));
  using server = await far.wire();
  const seen = () => {
    const [head = '', body = ''] = server.heard.split('\r\n\r\n');
    return `${body.length}/${/Content-Length: (\d+)/.exec(head)?.[1]} ${body}`.replace(CALL, 'CALL');
  };
  while (seen() !== arrives) await server.more();
  if (left === undefined) return;
  await line.passing(server.left);
  expect(await server.left).toBe(left);
});

it('a request said twice is two requests, and the client hears of one answer', async () => {
  await using far = await liveServer('json');
  await using line = await faulty(far, [{ fault: duplicate(), when: { from: 'client' } }]);
  using client = line.client().says(post(CALL));
  expect(await observed(client)).toBe('200 json 47/47 ANSWER end');
  await far.hearing(2);
  expect(far.heard).toEqual([`POST ${CALL}`, `POST ${CALL}`]);
});

it('a client that reads slowly makes the server wait, and gets all there is', async () => {
  await using far = await rawServer();
  await using line = await faulty(far, [{ fault: drop(), when: { method: 'x/y' } }]);
  using client = line.client().says(post(CALL));
  using server = await far.wire();
  await server.hears(CALL);
  client.socket.pause();
  const event = `data: ${'x'.repeat(5_000)}\n\n`;
  const count = 4_000;
  server.says('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
  for (let n = 0; n < count; n++) server.socket.write(event);
  await line.idle();
  expect(server.socket.writableLength).toBeGreaterThan(0);
  client.socket.resume();
  server.socket.end();
  await client.left;
  expect(client.heard.split('data: ').length).toBe(count + 1);
});

it('a message that is lost on its way and wants no answer is taken all the same', async () => {
  await using far = await liveServer('json');
  await using line = await faulty(far, [{ fault: drop(), when: { from: 'client' } }]);
  using client = line.client().says(post('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
  expect(await observed(client)).toBe('202 0/0 end');
  expect(far.heard).toEqual([]);
});

it.each(['{"jsonrpc":"2.0",', ''])(
  'a response that its server breaks off after %j arrives with this part',
  async (part) => {
    await using far = await rawServer();
    await using line = await faulty(far, [parseShortRule('latency:tools/list:delay=5', 'http')]);
    using client = line.client().says(post(CALL));
    using server = await far.wire();
    await server.hears(CALL);
    server.says(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 47\r\n\r\n${part}`);
    server.socket.end();
    expect(await observed(client)).toBe(part === '' ? '200 json 0/47 end' : `200 json 17/47 ${part} end`);
  },
);
