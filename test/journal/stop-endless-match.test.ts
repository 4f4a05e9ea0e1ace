import { describe, expect, it } from 'vitest';
import { MessageLog } from '../../src/journal/message-log.ts';
import { matchInTime } from '../../src/journal/stop-endless-match.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

const BACKTRACKS = /^(a+)+$/;
const LONG = `${'a'.repeat(60)}!`;
const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });

function begin() {
  const received = new MessageLog(new ManualClock());
  return { journal: received.journal, say: (name: string) => received.addFromClient(call(name), {}) };
}

describe('matchInTime', () => {
  it('stops an expression that backtracks in a query of the journal', () => {
    const { journal, say } = begin();
    say(LONG);
    expect(() => journal.requests('tools/call', { name: BACKTRACKS })).toThrow(
      /\(a\+\)\+\$\/.*\[JOURNAL_MATCH_TIMED_OUT\]/s,
    );
  });

  it('rejects a wait by the message that the expression meets, and lets the message pass', async () => {
    const { journal, say } = begin();
    const wait = expect(journal.waitFor('tools/call', { params: { name: BACKTRACKS } })).rejects;
    say(LONG);
    await wait.toMatchObject({ code: 'JOURNAL_MATCH_TIMED_OUT' });
    expect(journal.waiting).toEqual([]);
    expect(journal.requests()).toHaveLength(1);
  });

  it('stops a matcher of the test that never returns, at any depth', () => {
    const asymmetricMatch = (): boolean => {
      for (;;);
    };
    const { journal, say } = begin();
    say('add');
    expect(() => journal.notifications('notifications/message', { data: [{ asymmetricMatch }] })).not.toThrow();
    expect(() => journal.requests('tools/call', { name: { asymmetricMatch } })).toThrow(/JOURNAL_MATCH_TIMED_OUT/);
  });

  it('passes on what a comparison returns and throws', () => {
    expect(matchInTime({ name: /a/ }, () => 'found')).toBe('found');
    expect(() =>
      matchInTime({ name: /a/ }, () => {
        throw new RangeError('of the test');
      }),
    ).toThrow(RangeError);
  });

  it('compares again while a comparison runs', () => {
    const inner = () => matchInTime({ name: /b/ }, () => 'inner');
    expect(matchInTime({ name: /a/ }, () => [inner(), inner()])).toEqual(['inner', 'inner']);
  });
});
