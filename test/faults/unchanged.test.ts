import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import type { When } from '../../src/faults/rules/when.ts';
import { ANSWER, CALL, came, misbehaving, OTHER, PROGRESS } from './stage.ts';

/** A rule as it is after the checks of a rules file. */
function rule(name: string, values: Record<string, unknown> = {}, when?: When): Rule {
  const kind = FAULTS.get(name)!;
  const fallbacks = Object.entries(kind.params).map(([key, { fallback }]) => [key, fallback]);
  return { fault: { kind, values: { ...Object.fromEntries(fallbacks), ...values } }, ...(when && { when }) };
}

/** Number of bytes of a message as a line. */
const lengthOf = (message: unknown) => Buffer.byteLength(JSON.stringify(message)) + 1;

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const initialized = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } };
const discovered = { jsonrpc: '2.0', id: 1, result: { supportedVersions: ['1999-01-01'] } };
const failed = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Injected by mcp-record' } };
const falling = { ...PROGRESS, params: { progressToken: 1, progress: -1 } };
const unknown = { ...PROGRESS, params: { progressToken: 'mcp-record:unknown', progress: 1 } };
const asked = { jsonrpc: '2.0', id: 1, method: 'ping' };
const sent = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
const length = lengthOf(ANSWER);

describe('a fault that would change nothing does not fire, and the message passes at once', () => {
  it.each<[title: string, rule: Rule, messages: unknown[], why: string]>([
    [
      'cut at the end',
      rule('cut', { bytes: length }),
      [ANSWER],
      `the message has ${length} bytes, no more than "bytes: ${length}"`,
    ],
    [
      'cut beyond the end',
      rule('cut', { bytes: 500 }),
      [ANSWER],
      `the message has ${length} bytes, no more than "bytes: 500"`,
    ],
    [
      'truncate beyond the end',
      rule('truncate', { bytes: 500 }),
      [ANSWER],
      `the message has ${length} bytes, no more than "bytes: 500"`,
    ],
    [
      'reset beyond the end',
      rule('reset', { bytes: 500 }),
      [ANSWER],
      `the message has ${length} bytes, no more than "bytes: 500"`,
    ],
    [
      'oversize that is no more',
      rule('oversize', { bytes: length - 1 }),
      [ANSWER],
      `the message had ${length - 1} bytes already, and "bytes" is ${length - 1}`,
    ],
    [
      'the revision that is there',
      rule('version', { as: '2025-06-18' }),
      [initialized],
      'the response named the revision 2025-06-18 anyway, or none',
    ],
    [
      'the only revision that is supported',
      rule('version', {}, { method: 'initialize' }),
      [discovered],
      'the response named the revision 1999-01-01 anyway, or none',
    ],
    [
      'the revision of an error',
      rule('version'),
      [failed],
      'the response named the revision 1999-01-01 anyway, or none',
    ],
    [
      'an id to reuse that there is not',
      rule('wrong-id', { id: 'reused' }),
      [ANSWER],
      'no message with an id had come before, so that there was none to reuse',
    ],
    ['the id of the request before', rule('wrong-id', { id: 'reused' }), [asked, ANSWER], 'the id was 1 anyway'],
    [
      'the id of a notification',
      rule('wrong-id', {}, { kind: 'notification' }),
      [sent],
      'the message had no id of its own',
    ],
    [
      'a patch of what is so',
      rule('patch', { merge: { result: { text: 'é', gone: null } } }),
      [ANSWER],
      'the message was the same before',
    ],
    ['the error that is there', rule('error-reply'), [failed], 'the response was this error anyway'],
    [
      'an error for a notification',
      rule('error-reply', {}, { kind: 'notification' }),
      [sent],
      'the message was no request and no response',
    ],
    ['progress that falls anyway', rule('progress'), [falling], 'the notification said the same before'],
    [
      'a token that nobody knows anyway',
      rule('progress', { kind: 'unknown-token' }),
      [unknown],
      'the notification said the same before',
    ],
    ['one piece', rule('slice', { size: length }), [ANSWER], `its ${length} bytes are one piece of "size: ${length}"`],
    [
      'a rate that is fast',
      rule('throttle', { rate: 1_000_000 }),
      [ANSWER],
      `its ${length} bytes take less than 1 ms at this rate`,
    ],
    [
      'a reader that is fast',
      rule('slow-reader', { rate: 1_000_000 }),
      [ANSWER],
      `its ${length} bytes take less than 1 ms at this rate`,
    ],
    [
      'a delay that chance makes nothing',
      rule('latency', { delay: 0, jitter: 1, distribution: 'normal' }, { nth: 1 }),
      [ANSWER],
      'its jitter made the delay 0 ms',
    ],
    [
      'late, for what has no id',
      rule('late', {}, { kind: 'notification' }),
      [sent],
      'the message had no id of its own',
    ],
    [
      'a session where there is none',
      rule('session-lost', {}, { from: 'server', after: 0 }),
      [ANSWER],
      'the message belongs to no session: it has no Mcp-Session-Id',
    ],
  ])('%s', (_, one, messages, why) => {
    // The clock stands still.
    const line = misbehaving([one], why.includes('jitter') ? 3 : 1);
    line.client(one.fault.kind.name === 'version' ? initialize : CALL);
    line.arrived();
    line.server(...messages);
    expect(line.arrived()).toEqual(messages.map((message) => came('server', message)));
    expect([line.journal, line.paused]).toEqual([[], []]);
    expect(line.traffic.unfired).toEqual([{ rule: 1, why }]);
    // The stream goes on.
    line.traffic.push({ kind: 'close', at: 0, from: 'server' });
    expect(line.arrived()).toEqual(['← close']);
  });

  it.each(['corrupt', 'oversize', 'wrong-id', 'patch', 'version', 'error-reply', 'progress', 'late'])(
    '%s of what is no message',
    (name) => {
      const line = misbehaving([
        rule(name, { merge: { a: 1 } }, { kind: 'end', method: undefined } as unknown as When),
      ]);
      line.traffic.push({ kind: 'close', at: 0, from: 'server' });
      expect(line.arrived()).toEqual(['← close']);
      expect(line.traffic.unfired).toEqual([{ rule: 1, why: 'there was no message to change' }]);
    },
  );

  it('cancels and ignored cancels of what is no request and no cancel', () => {
    const line = misbehaving([
      rule('cancel', {}, { kind: 'notification' }),
      rule('ignore-cancel', {}, { method: 'ping' }),
    ]);
    line.client({ ...sent, method: 'notifications/initialized' }, asked);
    expect(line.arrived()).toHaveLength(2);
    expect(line.traffic.unfired.map(({ why }) => why)).toEqual([
      'the message was no request',
      'the message cancelled no request',
    ]);
  });
});

describe('a fault that needs more than its message fires when that has come', () => {
  it('coalesce and reorder of a message alone send it as it is', () => {
    for (const name of ['coalesce', 'reorder']) {
      const line = misbehaving([rule(name)]);
      line.server(ANSWER);
      expect([line.arrived(), line.journal]).toEqual([[], []]);
      line.clock.advance(100);
      expect(line.arrived()).toEqual([came('server', ANSWER)]);
      expect(line.journal).toEqual([]);
      expect(line.traffic.unfired).toMatchObject([
        { rule: 1, why: expect.stringMatching(/^no other message came to/) },
      ]);
      line.server(ANSWER, OTHER);
      expect(line.journal.map(({ id }) => id)).toEqual([1, 2]);
      expect(line.traffic.unfired).toEqual([]);
    }
  });

  it('coalesce joins no message with what is on standard error', () => {
    const line = misbehaving([rule('coalesce')]);
    line.server(ANSWER);
    line.traffic.push({ kind: 'line', at: 0, from: 'server', on: 'stderr', data: 'log' });
    expect([line.arrived(), line.journal]).toEqual([[came('server', ANSWER), '← stderr 3'], []]);
  });

  it('messages that are equal change no places', () => {
    const line = misbehaving([rule('reorder')]);
    line.server(sent, sent);
    expect(line.arrived()).toEqual([came('server', sent), came('server', sent)]);
    expect([line.journal.length, line.traffic.unfired.length]).toEqual([0, 1]);
  });

  it('a shuffle never leaves the order as it was', () => {
    for (let seed = 0; seed < 50; seed++) {
      const line = misbehaving([rule('reorder', { window: 3 })], seed);
      const three = [1, 2, 3].map((id) => ({ ...OTHER, id }));
      line.server(...three);
      expect(line.arrived()).not.toEqual(three.map((one) => came('server', one)));
    }
  });

  it('a cancel that is not due before the end is none', () => {
    for (const values of [{ at: 2 }, { delay: 50 }]) {
      const line = misbehaving([rule('cancel', values)]);
      line.client(CALL);
      line.server(ANSWER);
      expect(line.journal).toEqual([]);
      // The end of the server does not wait for it.
      let isIdle = false;
      line.traffic.whenIdle(() => {
        isIdle = true;
      });
      expect(isIdle).toBe(true);
      line.traffic.stop();
      expect(line.traffic.unfired).toEqual([{ rule: 1, why: 'the session ended before the cancellation' }]);
    }
  });

  it('a limit counts what has happened', () => {
    const line = misbehaving([{ ...rule('cut', { bytes: 100 }), times: 1 }]);
    const long = { ...ANSWER, result: { text: 'x'.repeat(200) } };
    line.server(ANSWER);
    expect(line.journal).toEqual([]);
    line.server(long);
    expect(line.journal).toMatchObject([{ fault: 'cut', message: 2 }]);
  });

  it('and a position counts messages', () => {
    const line = misbehaving([rule('cut', { bytes: 100 }, { nth: 1 })]);
    line.server(ANSWER, { ...ANSWER, result: { text: 'x'.repeat(200) } });
    expect([line.journal, line.arrived().length]).toEqual([[], 2]);
  });
});

describe('what a fault damages is not whole', () => {
  it('whatever the byte that chance selects twice', () => {
    for (let seed = 0; seed < 20; seed++) {
      const line = misbehaving([rule('corrupt', { bytes: 2 })], seed);
      line.server('{}');
      expect(line.arrived()).not.toEqual(['← {}\n']);
    }
  });

  it('though white space follows it', () => {
    const line = misbehaving([rule('corrupt', { kind: 'bad-json' })]);
    line.server(`${JSON.stringify(OTHER)} `);
    expect(line.arrived()).toEqual([came('server', OTHER).replace('}\n', '\n')]);
  });

  it('an id is reused also where the message before had a wrong one', () => {
    const line = misbehaving([rule('wrong-id', { id: 'reused' })]);
    line.server(ANSWER, OTHER);
    expect(line.arrived()).toEqual([came('server', ANSWER), came('server', { ...OTHER, id: 1 })]);
    expect(line.journal.map(({ id }) => id)).toEqual([2]);
  });

  it('progress comes after the answer to its own request', () => {
    const line = misbehaving([rule('progress', { kind: 'after-answer' })]);
    line.client({ ...CALL, id: 2, params: { name: 'add' } }, CALL);
    line.arrived();
    line.server(PROGRESS, { ...asked, id: 7 }, OTHER, ANSWER);
    expect(line.arrived()).toEqual([{ ...asked, id: 7 }, OTHER, ANSWER, PROGRESS].map((one) => came('server', one)));
  });
});

it('a rule for the end of a message over HTTP that is reset anyway', () => {
  const line = misbehaving([rule('reset', {}, { kind: 'end' })]);
  const end: Frame = { kind: 'close', at: 0, from: 'server', how: 'rst', stream: 1 };
  line.traffic.push(end);
  expect([line.arrived(), line.traffic.unfired]).toEqual([
    ['← close rst'],
    [{ rule: 1, why: 'the connection was reset anyway' }],
  ]);
});
