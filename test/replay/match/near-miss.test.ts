import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { identityOf } from '../../../src/match/request-identity.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { nearMissOf } from '../../../src/replay/match/near-miss.ts';
import { RequestMatcher } from '../../../src/replay/match/request-matcher.ts';
import { call, cassette as cassetteOf, client, request } from '../../support/conversation.ts';

type Message = ReturnType<typeof request>;

/** What a miss of `live` says, in a cassette of these requests of which the first `used` were used. */
function missing(live: Message, recorded: Message[], used = 0, advice?: string) {
  const requests = requestsOf(recorded, used);
  const identity = identityOf(new JsonText(JSON.stringify(live)));
  return nearMissOf({ live: identity, params: live.params, requests, file: 'cassette.yaml', advice });
}

/** The requests of a cassette, of which the first `used` were used. */
function requestsOf(recorded: Message[], used = 0) {
  const entries = eventsToEntries(cassetteOf(...recorded.map((message) => client(message))).events);
  const matcher = new RequestMatcher({
    entries,
    links: correlateEntries(entries),
    side: 'client',
    happened: () => true,
  });
  for (const { entry } of matcher.requests.slice(0, used)) matcher.take(entry.json!);
  return matcher.requests;
}

describe('a miss', () => {
  it('is an internal error that carries the same advice as its text', () => {
    const { error, text } = missing(call(1, 'add', { a: 2 }), [call(1, 'add', { a: 1 })]);
    expect(error).toEqual({
      code: -32603,
      message: `mcp-record: ${text.split('\n  ').slice(0, -1).join('\n  ')}`,
      data: {
        mcpRecord: {
          cassette: 'cassette.yaml',
          closest: [
            {
              line: 1,
              subject: 'tools/call "add"',
              used: false,
              differences: [{ path: '/params/arguments/a', recorded: 1, live: 2 }],
            },
          ],
          next: 'Correct the client, or record the session again. Ignore only what differs in every run: /params/arguments/a',
        },
      },
    });
  });

  it('never says to ignore the name of a tool', () => {
    const { text, varies } = missing(call(1, 'ad', { a: 1 }), [call(1, 'add', { a: 1 })]);
    expect(text).toMatch(/\n {2}Correct the client, or record the session again\.$/);
    expect(varies).toBeUndefined();
  });

  it('names the places of all values that differ', () => {
    const { text } = missing(call(1, 'add', { a: 1, b: 2, c: 3 }), [call(1, 'add', { a: 2, b: 2, c: 4 })]);
    expect(text).toMatch(/differs in every run: --ignore \/params\/arguments\/a --ignore \/params\/arguments\/c$/);
  });

  it('proposes no rule if each side has arguments that the other lacks, as of another tool', () => {
    const { text, varies } = missing(call(1, 'add', { a: 1 }), [call(1, 'add', { message: 'hi' })]);
    expect(text).toMatch(/\n {2}Correct the client, or record the session again\.$/);
    expect(varies).toBeUndefined();
  });

  it('says to fork again what a fork has written, in which the beginning is optional', () => {
    const recorded = [request(0, 'initialize'), call(1, 'add', { a: 1 }), call(2, 'add', { a: 2 })];
    const events = cassetteOf(...recorded.map((message) => client(message))).events;
    const adviceIf = (isOptional: (index: number) => boolean) => {
      const entries = eventsToEntries(
        events.map((event, index) => (isOptional(index) ? { ...event, match: { optional: true } } : event)),
      );
      const links = correlateEntries(entries);
      const { requests } = new RequestMatcher({ entries, links, side: 'client', happened: () => true });
      const live = call(3, 'add', { a: 3 });
      const identity = identityOf(new JsonText(JSON.stringify(live)));
      return nearMissOf({ live: identity, params: live.params, requests, file: 'cassette.yaml' }).text;
    };
    expect(adviceIf((index) => index < 2)).toContain(
      '\n  Correct the client, or fork the first session again: mcp-record fork -o NEW.yaml FIRST.yaml:LINE -- COMMAND. Ignore',
    );
    // A user may call any request optional.
    expect(adviceIf((index) => index === 1)).toContain('\n  Correct the client, or record the session again. Ignore');
  });

  it('does not say to record again what was never recorded', () => {
    const live = identityOf(new JsonText(JSON.stringify(call(1, 'add'))));
    const miss = nearMissOf({ live, params: {}, requests: [], file: 'cassette.yaml', isHandWritten: true });
    const advice = 'Write the request into the cassette, or remove the extra request from the client.';
    expect(miss.text).toContain(`\n  ${advice}`);
    expect(miss.error.data).toMatchObject({ mcpRecord: { next: advice } });
  });

  it('says what its owner advises in place of a new recording, but not in place of the rules of a redacted value', () => {
    const live = identityOf(new JsonText(JSON.stringify(call(1, 'add'))));
    const miss = nearMissOf({ live, params: {}, requests: [], file: 'cassette.yaml', advice: 'Fork earlier' });
    expect(miss.text).toContain('\n  Fork earlier, or remove the extra request from the client.');
    const { text } = missing(call(1, 'add', { a: 'me' }), [call(1, 'add', { a: '[redacted]' })], 0, 'Fork earlier');
    expect(text).toContain('\n  The recorded value was redacted, and no given rule matches what the client sends. ');
  });

  it('names what was asked without the secrets that were taken out of it to compare it', () => {
    const live = request(1, 'resources/read', { uri: 'db://ann:s3same-0pen@h' });
    const identity = identityOf(new JsonText(JSON.stringify(live)), [
      () => ({ ...live, params: { uri: 'db://ann:[redacted]@h' } }),
    ]);
    const { text } = nearMissOf({ live: identity, params: live.params, requests: [], file: 'cassette.yaml' });
    expect(text).toMatch(/^Cannot answer resources\/read "db:\/\/ann:\[redacted\]@h": /);
  });

  it('says of a redacted value that the rules which redacted it are needed', () => {
    const { text } = missing(call(1, 'add', { key: 'acme_live_2' }), [call(1, 'add', { key: '[redacted:acme:1]' })]);
    expect(text).toMatch(
      /\n {2}The recorded value was redacted, and no given rule matches what the client sends\. Correct the client, or give the rules.* --ignore \/params\/arguments\/key$/,
    );
  });

  it('says of a redacted value that an answer returned what the client has to send', () => {
    const requests = requestsOf([call(1, 'add', { a: '[redacted:customer:2]' })]);
    const live = identityOf(new JsonText(JSON.stringify(call(1, 'add', { a: 'CUST-1' }))));
    const options = { live, params: {}, requests, file: 'a.yaml', isReturned: () => true };
    const sends = 'An earlier answer returned the recorded value: have the client send it.';
    expect(nearMissOf(options).text).toContain(`${sends} If it sends it, give the rules that redacted it: `);
    const differences = [
      { path: '/params/arguments/a', recorded: '[redacted:customer:2]', live: '[redacted:customer:1]' },
    ];
    const secretDifferences = () => ({ conflict: { index: 0 }, differences, recorded: {}, live: {} });
    const { text } = nearMissOf({ ...options, withOtherSecrets: requests[0], secretDifferences });
    expect(text).toMatch(
      /have the client send it\. In one session, a placeholder stands for one value\. If the client knows .* replay with --secrets-from-env and its name\.$/,
    );
  });

  it('names all redacted values that differ, and no others', () => {
    const { text, error } = missing(call(1, 'add', { a: 'x', b: 'y', c: 'z' }), [
      call(1, 'add', { a: '[redacted:acme:1]', b: 'w', c: 'of [redacted:customer:1]' }),
    ]);
    expect(text).toMatch(
      /Ignore only what differs in every run: --ignore \/params\/arguments\/a --ignore \/params\/arguments\/c$/,
    );
    expect(error.data).toMatchObject({
      mcpRecord: { next: expect.stringMatching(/run: \/params\/arguments\/a, \/params\/arguments\/c$/) },
    });
  });

  it('names three at most, says which were used, and shows a few differences of each', () => {
    const wide = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, n]));
    const { text } = missing(
      call(9, 'add', wide),
      [call(1, 'add', { k0: 0 }), call(2, 'add', {}), call(3, 'add', { k0: 1 }), call(4, 'sub')],
      1,
    );
    expect(text.split('\n')).toEqual([
      'Cannot answer tools/call "add": no recorded call matches. Closest:',
      '    cassette.yaml:2 tools/call "add" differs at /params/arguments (nothing → {"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5"…)',
      '    cassette.yaml:1 tools/call "add" (already used) differs at /params/arguments/k1 (nothing → 1), /params/arguments/k2 (nothing → 2), /params/arguments/k3 (nothing → 3), /params/arguments/k4 (nothing → 4) and 1 more',
      '    cassette.yaml:3 tools/call "add" differs at /params/arguments/k0 (1 → 0), /params/arguments/k1 (nothing → 1), /params/arguments/k2 (nothing → 2), /params/arguments/k3 (nothing → 3) and 2 more',
      `  Correct the client, or record the session again. Ignore only what differs in every run: ${Object.keys(wide)
        .map((key) => `--ignore /params/arguments/${key}`)
        .join(' ')}`,
    ]);
  });

  it('does not advise to ignore a cursor, and takes the request with another one for the closest', () => {
    const list = (id: number, cursor?: string) => request(id, 'resources/list', { ...(cursor && { cursor }) });
    const { text } = missing(list(9, 'made-up'), [list(1), list(2, 'page-2')]);
    expect(text.split('\n')).toEqual([
      'Cannot answer resources/list: no recorded call matches. Closest:',
      '    cassette.yaml:2 resources/list differs at /params/cursor ("page-2" → "made-up")',
      '    cassette.yaml:1 resources/list differs at /params/cursor (nothing → "made-up")',
      '  An earlier answer returned the recorded value: have the client send it. Or record the session again.',
    ]);
    expect(missing(list(9, 'made-up'), [list(1)]).text).toMatch(
      /\n {2}Correct the client, or record the session again\.$/,
    );
  });

  it('says so where every call that matches was used, and where', () => {
    const { text, isUsedUp } = missing(call(9, 'add'), [call(1, 'add'), call(2, 'add')], 2);
    expect(isUsedUp).toBe(true);
    expect(text).toContain('every matching recorded call was already used (cassette.yaml:1, cassette.yaml:2).');
    expect(text).toContain('remove the extra request');
  });

  it('says so where the cassette has no such method', () => {
    const { text, error } = missing(request(1, 'prompts/get', { name: 'x' }), [call(1, 'add')]);
    expect(text).toContain('Cannot answer prompts/get "x": cassette.yaml has no prompts/get.');
    expect(error.data).toMatchObject({ mcpRecord: { closest: [] } });
  });

  it('lists no more differences than a person reads, however many there are', () => {
    const { error, text } = missing(call(9, 'add', { list: Array(10_000).fill(1) }), [call(1, 'add', { list: [] })]);
    expect(error.data).toMatchObject({
      mcpRecord: { closest: [{ differences: { length: 20 }, more: 9_980 }] },
    });
    expect(text).toContain('and 9996 more');
  });

  it.each(['constructor', 'toString', '__proto__'])('of an argument named %s is a miss like others', (name) => {
    const live = JSON.parse(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"${name}":1}}}`,
    );
    expect(missing(live, [call(1, 'add', { a: 1 })]).text).toContain(`/params/arguments/${name} (nothing → 1)`);
  });
});
