import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { unplayableFindings, unplayableFindingsOf } from '../../../src/replay/findings/unplayable-findings.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const told = (...frames: Frame[]) =>
  unplayableFindings({
    plan: planServer(cassette(...frames).events),
    file: 'cassette.yaml',
    isHandWritten: false,
  }).map(({ kind, text }) => `${kind}: ${text}`);

it('a person is told of each entry with its place, and of nothing where all can be played', () => {
  expect(told(client(call(1, 'a')), server(result(1, 'a')))).toEqual([]);
  expect(told(client(call(1, 'add')), server(result(2, 'a')))).toEqual([
    expect.stringMatching(
      /^unplayable: cassette\.yaml:1 tools\/call "add": this request \(id 1\) has no answer\. Write/,
    ),
    expect.stringMatching(
      /^unplayable: cassette\.yaml:2 response: this answer has the id 2, .* line 1, 1, has no answer\.$/,
    ),
  ]);
});

it('what the played side says without jsonrpc is told once, with how many there are', () => {
  const call1 = client(call(1, 'a'));
  expect(told(call1, server('{"id":1,"result":{}}'))).toEqual([
    'default: cassette.yaml:2 response has no "jsonrpc": played as "2.0".',
  ]);
  expect(told(call1, server('{"method":"notifications/a"}'), server('{"id":1,"result":{}}'))).toEqual([
    'default: cassette.yaml:2 notifications/a has no "jsonrpc" (and 1 message after it): played as "2.0".',
  ]);
  expect(told(client('{"id":1,"method":"tools/call"}'), server(result(1, 'a')))).toEqual([]);
});

it('of very many not each is told', () => {
  const many = Array.from({ length: 50_000 }, (_, n) => client(call(n, 'a')));
  const all = told(...many);
  expect(all).toHaveLength(11);
  expect(all.at(-1)).toBe('unplayable: cassette.yaml has more entries that cannot be played.');
});

it('a file written by hand is not played where it answers twice, and is where a request has no answer', () => {
  const byHand = (...frames: Frame[]) => {
    const plan = planServer(cassette(...frames).events);
    return unplayableFindings({ plan, file: 'cassette.yaml', isHandWritten: true });
  };
  const asked = client(call(1, 'a'));
  expect(byHand(asked)).toMatchObject([{ kind: 'unplayable' }]);
  expect(() => byHand(asked, server(result(1, 'a')), server(result(1, 'b')))).toThrow(
    /line 2 answers it already\. \[CASSETTE_UNPLAYABLE\]\n {2}at cassette\.yaml:3\n {2}Delete one of the two\./,
  );
});

it('names what another process cannot play, on the side that it plays', () => {
  const played = cassette(client(call(1, 'a')), server(result(2, 'A')));
  const texts = unplayableFindingsOf(played, 'server').map(({ kind, text }) => [kind, text.slice(0, 16)]);
  expect(texts).toEqual([
    ['unplayable', 'cassette.yaml:1 '],
    ['unplayable', 'cassette.yaml:2 '],
  ]);
});

it('is silent on a cassette that can be played, on either side', () => {
  const played = cassette(client(request(1, 'tools/list')), server(result(1, 'tools')));
  expect([...unplayableFindingsOf(played, 'server'), ...unplayableFindingsOf(played, 'client')]).toEqual([]);
});
