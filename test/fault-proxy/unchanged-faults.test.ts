import { describe, expect, it } from 'vitest';
import { redeliver } from '../../src/faults/connections/redeliver.ts';
import { cancel } from '../../src/faults/messages/cancel.ts';
import { patch } from '../../src/faults/messages/patch.ts';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import type { When } from '../../src/faults/rules/when.ts';
import { faulty, observed, post } from '../scenario/faulty.ts';
import { plain } from '../scenario/rows.ts';
import { CALL, liveServer, rawServer } from '../scenario/servers.ts';

const MODERN = CALL.replace('"_meta":{', '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",');
const [result, client]: When[] = [{ kind: 'response' }, { from: 'client' }];

describe.each(['json', 'sse'] as const)('over HTTP, as %s', (form) => {
  it.each<[fault: string, when: When, why: RegExp]>([
    ['cut::bytes=500', {}, /^the message has \d+ bytes, no more than "bytes: 500"$/],
    ['truncate::bytes=500', {}, /^the message has/],
    ['reset::bytes=500', {}, /^the message has/],
    ['cut::bytes=500', client!, /^the message has 98 bytes/],
    ['truncate::bytes=500', client!, /^the message has 98 bytes/],
    ['reset::bytes=500', client!, /^the message has 98 bytes/],
    ['oversize::bytes=40', {}, /^the message had/],
    ['oversize::bytes=40', client!, /^the message had 98 bytes already/],
    ['wrong-id::id=reused', result!, /^no message with an id had come before/],
    ['slice::size=200', {}, /^its \d+ bytes are one piece/],
    ['slice::size=200', client!, /^its 98 bytes are one piece/],
    ['throttle::rate=1000000', {}, /^its \d+ bytes take less than 1 ms/],
    ['slow-reader::rate=1000000', {}, /^its \d+ bytes take less than 1 ms/],
    ['coalesce', result!, /^no other message came to be sent with it$/],
    ['redeliver', {}, /^no client resumed a stream on which it had such a message$/],
    ['session-lost', { after: 0 }, /^the message belongs to no session/],
    ['token-refused', {}, /^the request had no access token$/],
    ['insufficient-scope', {}, /^the request had no access token, or one with this scope$/],
  ])('%s for %j does not fire, and all passes at once', async (fault, when, why) => {
    await using far = await liveServer(form);
    const rule = parseShortRule(fault, 'http');
    // The clock stands still.
    await using line = await faulty(far, [{ ...rule, when: { ...rule.when, ...when } }]);
    using peer = line.client().says(post(CALL));
    expect(await observed(peer)).toBe(plain[form]);
    expect(far.heard).toEqual([`POST ${CALL}`]);
    expect([line.fired, line.troubles]).toEqual([[], []]);
    expect(line.proxy.unfired()).toEqual([{ rule: 1, why: expect.stringMatching(why) }]);
    expect(line.proxy.everUnfired()[0]).toMatch(/^Rule 1 \([\w-]+\) never fired: .+\.$/);
  });

  it('a patch of what is so does not fire', async () => {
    await using far = await liveServer(form);
    const fault = patch({ merge: { result: { text: 'é' } } });
    await using line = await faulty(far, [{ fault, when: result! }]);
    using peer = line.client().says(post(CALL));
    expect(await observed(peer)).toBe(plain[form]);
    expect([line.fired, line.proxy.unfired()]).toEqual([[], [{ rule: 1, why: 'the message was the same before' }]]);
  });
});

it('a status takes the place of a JSON body, and not of an event, since the status of its stream has left', async () => {
  const seen = [];
  for (const form of ['json', 'sse'] as const) {
    await using far = await liveServer(form);
    const rule = parseShortRule('http-status:tools/call:status=503', 'http');
    await using line = await faulty(far, [{ ...rule, when: { ...rule.when, from: 'server', kind: 'response' } }]);
    using peer = line.client().says(post(CALL));
    const found = await observed(peer);
    seen.push([found === plain[form] ? 'whole' : found.slice(0, 3), line.fired.length, line.proxy.unfired()]);
  }
  const why = 'no status could be sent, since that of the event stream had left';
  expect(seen).toEqual([
    ['503', 1, []],
    ['whole', 0, [{ rule: 1, why }]],
  ]);
});

it('a field of a head that has left does not fire', async () => {
  await using far = await liveServer('sse');
  await using line = await faulty(far, [patch({ headers: { retry: '1' } })]);
  using peer = line.client().says(post(CALL));
  expect(await observed(peer)).toBe(plain.sse);
  const why = 'the head had the fields already, or had left';
  expect([line.fired, line.proxy.unfired()]).toEqual([[], [{ rule: 1, why }]]);
});

it('a message that is longer is cut, where a shorter one passed', async () => {
  const long = '{"jsonrpc":"2.0","id":1,"result":{"text":"é","more":"0123456789"}}';
  await using far = await liveServer('json', [{ asked: CALL, says: [long] }]);
  await using line = await faulty(far, [parseShortRule('cut::bytes=66', 'http')]);
  using whole = line.client().says(post(CALL));
  expect(await observed(whole)).toMatch(/ 66\/67 .* end$/);
});

it('a cancel after the end of its response does not fire, and the server sees none', async () => {
  for (const call of [CALL, MODERN]) {
    await using far = await rawServer();
    await using line = await faulty(far, [
      cancel({ delay: 50 }),
      { fault: cancel({ at: 2 }), when: { from: 'client' } },
    ]);
    using peer = line.client().says(post(call));
    using server = await far.wire();
    await server.hears(call);
    server.says('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n');
    server.says('{"jsonrpc":"2.0","id":1,"result":{}}');
    await observed(peer);
    line.clock.advance(100);
    expect(line.fired).toEqual([]);
    const why = 'the response had ended before the cancellation';
    expect(line.proxy.unfired()).toEqual([1, 2].map((rule) => ({ rule, why })));
  }
});

it('a message that nobody resumes for is not given again, and one that somebody does is', async () => {
  await using far = await liveServer('sse');
  await using line = await faulty(far, [parseShortRule('resume:tools/call', 'http'), redeliver()]);
  using first = line.client().says(post(CALL));
  await observed(first);
  expect(line.fired.map(({ fault }) => fault)).toEqual(['resume']);
  const get = 'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nLast-Event-ID: mcp-record-1\r\n';
  using again = line.client().says(`${get}Connection: close\r\n\r\n`);
  await observed(again);
  expect(line.fired.map(({ fault }) => fault)).toEqual(['resume', 'redeliver']);
});
