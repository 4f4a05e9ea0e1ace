import { expect, it } from 'vitest';
import { EventLog, ResumableEventStream } from '../../../src/replay/http/resumable-event-stream.ts';

it('an id is that of the cassette until a session has used it', () => {
  const log = new EventLog();
  const stream = new ResumableEventStream(log);
  stream.send('{}', { id: 'a' });
  const other = log.issue('a');
  expect([log.issue('b'), other === 'a']).toEqual(['b', false]);
});

it('what came after an event is that of its stream alone', () => {
  const log = new EventLog();
  const [one, two] = [new ResumableEventStream(log), new ResumableEventStream(log)];
  one.send('1', { id: 'a' });
  two.send('2', { id: 'b' });
  one.send('3');
  expect(log.after('a')?.missed.map(({ data }) => data)).toEqual(['3']);
  expect(log.after('b')).toEqual({ stream: two, missed: [] });
});

it('forgets what was said 10,000 events ago', () => {
  const log = new EventLog();
  const stream = new ResumableEventStream(log);
  for (let n = 0; n <= 10_000; n++) stream.send('{}', { id: `event-${n}` });
  expect(log.after('event-0')).toBeUndefined();
  expect(log.after('event-1')?.missed).toHaveLength(9_999);
});
