import { expect, it } from 'vitest';
import { JoinedJournal } from '../../src/journal/joined-journal.ts';
import { requestsOf } from '../../src/journal/journal.ts';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

const clock = new ManualClock();
const ping = { id: 1, method: 'ping' };

it('has what is in its parts, and counts their sessions through', () => {
  const joined = new JoinedJournal(clock);
  const [one, two] = [new MessageLog(clock), new MessageLog(clock)];
  joined.add(one.journal);
  joined.add(two.journal);
  two.addFromClient(ping, { session: 1 });
  one.addFromClient(ping, { session: 2 });
  one.addFromClient(ping, { session: 1 });
  one.addFromClient(ping, {});
  expect(joined.journal.entries.map(({ session }) => session)).toEqual([1, 2, undefined, 3]);
  expect(requestsOf(joined.journal, 'ping')).toEqual([ping, ping, ping, ping]);
  joined.journal.reset();
  expect([one.journal.entries, two.journal.entries]).toEqual([[], []]);
});

it('waits for what comes to any of them, also to one that is added later', async () => {
  const joined = new JoinedJournal(clock);
  const [one, late, filled] = [new MessageLog(clock), new MessageLog(clock), new MessageLog(clock)];
  joined.add(one.journal);
  const came = joined.journal.waitFor('ping', { count: 3 });
  one.addFromClient(ping, {});
  joined.add(late.journal);
  late.addFromClient(ping, {});
  filled.addFromClient({ ...ping, id: 3 }, {});
  joined.add(filled.journal);
  await expect(came).resolves.toMatchObject({ id: 3 });
});
