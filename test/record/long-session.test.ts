import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { conversation, inSession } from './http-conversation.ts';

const [HOUR, DAY, WEEK] = [3_600_000, 86_400_000, 604_800_000];
const GET = { method: 'GET', headers: inSession('s', { Accept: 'text/event-stream' }) };
const news = (n: number) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { n } });

/** A clock whose calendar somebody sets, as that of a laptop that wakes up, or is told the time. */
class CorrectedClock extends ManualClock {
  correction = 0;

  override date(): Date {
    return new Date(super.date().getTime() + this.correction);
  }
}

describe('a session of a week', () => {
  it('is one cassette as long as its stream is open, to the last second, and leaves no alarm behind', () => {
    using line = conversation();
    line.open('s');
    const get = line.ask(GET).stream();
    for (let n = 0; n < WEEK / HOUR; n++) {
      line.clock.advance(HOUR);
      get.event(news(n));
    }
    get.ends();
    line.recorder.end('complete');
    expect(line.cassettes()).toEqual(['cassette.yaml']);
    const { events, end } = line.cassette();
    expect([events.at(-1)?.frame.at, end]).toEqual([WEEK, 'complete']);
    expect(events.filter(({ frame }) => frame.kind === 'message')).toHaveLength(2 + WEEK / HOUR);
    line.clock.advance(WEEK);
    expect(line.failures).toEqual([]);
  });

  it('that says something every now and then does not idle', () => {
    using line = conversation();
    line.open('s');
    for (let id = 1; id <= 200; id++) {
      line.clock.advance(900);
      const body = { jsonrpc: '2.0', id, method: 'ping' };
      line.ask({ headers: inSession('s'), body }).json({ jsonrpc: '2.0', id, result: {} });
    }
    expect(line.cassettes()).toEqual(['cassette.yaml']);
    expect(line.cassetteText()).not.toContain('end:');
    line.clock.advance(1_000);
    expect(line.cassetteText()).toMatch(/- end: idle\n$/);
  });
});

describe('a calendar that is set back and forward in the midst of a session', () => {
  it('moves neither the gaps of the cassette nor the end of what is silent', () => {
    const clock = new CorrectedClock(new Date('2026-11-21T03:02:15Z'));
    using line = conversation({ clock });
    line.open('s');
    const get = line.ask(GET).stream();
    for (const [n, correction] of [-DAY, 30 * DAY, 0].entries()) {
      clock.correction = correction;
      clock.advance(500);
      get.event(news(n));
    }
    get.ends();
    clock.correction = WEEK;
    clock.advance(999);
    expect(line.cassetteText().match(/after: .*/g)).toEqual(['after: 500', 'after: 500', 'after: 500']);
    expect(line.cassetteText()).not.toContain('end:');
    clock.advance(1);
    expect(line.cassetteText()).toMatch(/- end: idle\n$/);
  });

  it('is what the cassettes that begin then say', () => {
    const clock = new CorrectedClock(new Date('2026-11-21T03:02:15Z'));
    using line = conversation({ clock });
    line.open('a');
    clock.correction = -DAY;
    line.open('b');
    line.recorder.end('complete');
    const recorded = ['cassette.yaml', 'cassette-2.yaml'].map((tape) => line.cassette(tape).header.recorded);
    expect(recorded).toEqual(['2026-11-21T03:02:15.000Z', '2026-11-20T03:02:15.000Z']);
  });
});
