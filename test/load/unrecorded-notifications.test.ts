import { expect, it } from 'vitest';
import { loadJson, loadOutcome } from '../../src/load/load-report.ts';
import { LoadStats } from '../../src/load/load-stats.ts';
import { unrecordedMethods, withoutUnrecordedNote } from '../../src/load/unrecorded-notifications.ts';
import type { Step } from '../../src/text-report/outcome-model.ts';
import { compareSession } from '../../src/verify/compare/compare-session.ts';
import { call, cassette, client, notification, result, server } from '../support/conversation.ts';
import { live } from '../verify/live.ts';

const ARRIVALS = { started: 1, late: 0, lateWithFreeClients: 0, delayMax: 0, missed: 0, missedWithFreeClients: 0 };
const RUN = { version: '1', date: '', clients: 1, for: 1, ramp: 0, workers: 1, cores: 1 };
const step: Step = { title: 'tools/call "a"', line: 1, status: 'passed', duration: 1 };

function loadOf(stats: LoadStats) {
  return {
    run: RUN,
    files: ['a.yaml'],
    stats,
    arrivals: { ...ARRIVALS, period: 1 },
    thresholds: [],
    duration: 1,
    processDelay: 0,
    undetected: [],
  };
}

function session(stats: LoadStats, methods: string[]): void {
  const outcome = { title: '', file: 'a.yaml', steps: [step], notes: [], duration: 1 };
  stats.add(1, outcome, { answers: new Map(), end: 1 });
  stats.addUnrecorded(methods);
}

it('notifications that the cassette does not have are counted over all sessions and threads', () => {
  const [stats, thread] = [new LoadStats(), new LoadStats()];
  for (let n = 0; n < 3; n++) session(stats, ['notifications/message']);
  session(thread, ['notifications/message', 'notifications/tools/list_changed']);
  stats.addThread(thread.cloneable((one) => one));
  const load = loadOf(stats);
  expect(loadOutcome(load).steps).toEqual([
    { title: '4 answers, notifications of the cassette and ends are as recorded', status: 'passed' },
  ]);
  expect(loadOutcome(load).notes).toContain(
    'The server sent 5 notifications that the cassette does not have, which fail nothing: notifications/message (4), notifications/tools/list_changed (1).',
  );
  expect(loadJson(load).unrecordedNotifications).toBe(5);
});

it('a load without such notifications says nothing of them', () => {
  const stats = new LoadStats();
  session(stats, []);
  expect(loadOutcome(loadOf(stats)).steps[0]?.title).toBe('1 answers, notifications and ends are as recorded');
  expect(loadOutcome(loadOf(stats)).notes.join()).not.toContain('does not have');
});

it('the note of each session about them is left out', async () => {
  const recorded = cassette(client(call(1, 'a')), server(result(1, 'A')));
  for (const count of [1, 2]) {
    const more = Array.from({ length: count }, () => notification('a'));
    const { driven } = await live(recorded, (one) => [...more, one]);
    const compared = compareSession({ file: 'a.yaml', driven });
    expect(compared.notes.join()).toContain('The cassette does not have');
    expect(withoutUnrecordedNote(compared).notes).toEqual([]);
    expect(unrecordedMethods(driven)).toEqual(more.map(() => 'notifications/a'));
  }
});
