import { expect, it } from 'vitest';
import type { EventMatch } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { playedRules } from '../../src/fork/played-rules.ts';
import { call, cassette, client, notification, request, result, server } from '../support/conversation.ts';

type Ruled = readonly [Frame, ignore?: string];

/** Rules that the messages of a session get which repeats these events. */
function repeated(events: readonly Ruled[], messages: readonly Frame[]): (EventMatch | undefined)[] {
  const recorded = cassette(...events.map(([frame]) => frame));
  const ruled = recorded.events.map((event, index) => {
    const [, ignore] = events[index]!;
    return ignore === undefined ? event : { ...event, match: { ignore: [ignore] } };
  });
  const rulesOf = playedRules({ ...recorded, events: ruled });
  return messages.map((frame) => (frame.kind === 'message' ? rulesOf(frame) : undefined));
}

const rule = (ignore: string) => ({ ignore: [ignore] });

it('calls and answers have their rules by id, also where they overlap', () => {
  const events: Ruled[] = [
    [client(call(1, 'a')), '/params/arguments/a'],
    [client(call(2, 'b'))],
    [server(result(1, 'x')), '/result/one'],
    [server(result(2, 'y')), '/result/two'],
  ];
  const played = [client(call(1, 'a')), client(call(2, 'b')), server(result(2, 'new')), server(result(1, 'new'))];
  expect(repeated(events, played)).toEqual([
    rule('/params/arguments/a'),
    undefined,
    rule('/result/two'),
    rule('/result/one'),
  ]);
});

it('notifications and questions of the server have them by their order, and answers to these by the live id', () => {
  const log = notification('message', { data: 'x' });
  const events: Ruled[] = [
    [client(call(1, 'a'))],
    [server(log), '/params/data'],
    [server(request('q', 'roots/list')), '/params/x'],
    [client({ jsonrpc: '2.0', id: 'q', result: { roots: [] } }), '/result/roots'],
    [server(log)],
  ];
  const played = [
    client(call(1, 'a')),
    server(request(77, 'roots/list')),
    server(log),
    client({ jsonrpc: '2.0', id: 77, result: { roots: [] } }),
    server(log),
    server(notification('other')),
    server(result(9, 'unknown')),
  ];
  expect(repeated(events, played)).toEqual([
    undefined,
    rule('/params/x'),
    rule('/params/data'),
    rule('/result/roots'),
    undefined,
    undefined,
    undefined,
  ]);
});
