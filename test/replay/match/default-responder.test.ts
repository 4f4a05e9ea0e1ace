import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import type { Request } from '../../../src/protocol/message.ts';
import { DefaultResponder } from '../../../src/replay/match/default-responder.ts';
import type { ResultOrError } from '../../../src/replay/match/protocol-generation.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { TokenRewriter } from '../../../src/replay/tokens/token-cursor-rewriter.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

/** What is answered to the request in `text`, in a cassette of these frames. */
function answerTo(text: string, frames: Frame[], discovered?: ResultOrError) {
  const plan = planServer(cassette(...frames).events);
  const matcher = new RequestMatcher({
    entries: plan.entries,
    links: plan.links,
    side: 'client',
    happened: () => true,
  });
  const improviser = new DefaultResponder({
    plan,
    matcher,
    rewriter: new TokenRewriter(plan),
    file: 'cassette.yaml',
    discovered,
  });
  const live = new JsonText(text);
  return improviser.answer(live, live.value as Request);
}

const ping = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const called = [client(call(0, 'a')), server(result(0, 'A'))];

it.each(['0', '""', '"0"', '12345678901234567891', '-1'])('carries the live id %s as it came', (id) => {
  expect(answerTo(ping(id), called)).toEqual({ text: `{"jsonrpc":"2.0","id":${id},"result":{}}` });
});

it('answers ping in the words of the cassette, in key order and all', () => {
  const frames = [client(request(0, 'ping')), server('{"result":{"n":1.0},"id":0,"jsonrpc":"2.0"}')];
  expect(answerTo(ping('"p"'), frames).text).toBe('{"result":{"n":1.0},"id":"p","jsonrpc":"2.0"}');
});

it('answers ping from life where the recorded one was not answered', () => {
  expect(answerTo(ping('1'), [client(request(0, 'ping'))]).text).toContain('"result":{}');
});

it('answers what another cassette has on eras, whatever is in it', () => {
  const discovered = { result: { note: '"id":0 and $& and $1', capabilities: {} } };
  const { text, finding } = answerTo('{"id":"x","method":"server/discover"}', called, discovered);
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 'x', ...discovered });
  expect(finding).toBeUndefined();
});

it('misses a question about eras that the cassette has, once its answer is used up', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const asked = request(1, 'initialize', { _meta });
  const refused = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } };
  const modern = [client(request(0, 'tools/list', { _meta })), server(result(0, 'tools'))];
  expect(answerTo(JSON.stringify(asked), modern).text).toContain('-32022');
  const { finding } = answerTo(JSON.stringify(asked), [...modern, client(asked), server(refused)]);
  expect(finding).toMatchObject({ kind: 'miss' });
});

it('answers anything else with a miss, which is told', () => {
  const { text, finding } = answerTo(JSON.stringify(call(4, 'b')), called);
  expect(JSON.parse(text)).toMatchObject({ id: 4, error: { code: -32603 } });
  expect(finding).toMatchObject({ kind: 'miss' });
});

it('does not advise to ignore a value that an earlier answer returned', () => {
  const session = [
    client(call(0, 'create')),
    server(result(0, 'note_8f3a')),
    client(call(1, 'get', { id: 'note_8f3a', days: 2 })),
    server(result(1, 'milk')),
  ];
  const adviceOn = (args: object) => answerTo(JSON.stringify(call(4, 'get', { ...args })), session).finding!.text;
  const wrong = adviceOn({ id: 'note_9999', days: 2 });
  expect(wrong).toContain(
    'An earlier answer returned the recorded value: have the client send it. Or, if the client is right, write this call and its answer into the cassette (docs/share-a-client-bug.md), or record the session again.',
  );
  expect(wrong).not.toContain('ignore');
  expect(adviceOn({ id: 'note_8f3a', days: 3 })).toContain('--ignore /params/arguments/days');
});

it.each(['2026-12-01', '2026-12-01T09:00:00Z'])('does not take %s for an id of an earlier answer', (date) => {
  const session = [
    client(call(0, 'list')),
    server(result(0, `report of ${date}`)),
    client(call(1, 'due', { date })),
    server(result(1, 'milk')),
  ];
  const { text } = answerTo(JSON.stringify(call(4, 'due', { date: '2026-12-02' })), session).finding!;
  expect(text).toContain('Ignore only what differs in every run: --ignore /params/arguments/date');
});

it('does not advise to ignore the cursor of a tool, whose first page needs none', () => {
  const session = [
    client(call(0, 'list')),
    server(result(0, 'next: 283489e71ca0-2')),
    client(call(1, 'list', { cursor: '283489e71ca0-2' })),
    server(result(1, 'milk')),
  ];
  const { text } = answerTo(JSON.stringify(call(4, 'list', { cursor: 'aaaaaaaaaaaa' })), session).finding!;
  expect(text).toContain(
    'An earlier answer returned the recorded value: have the client send it. Or, if the client is right, write ',
  );
  expect(text).not.toContain('ignore');
});
