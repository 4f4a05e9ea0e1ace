import { expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import { hollowArgumentFindings } from '../../../src/replay/findings/hollow-arguments.ts';
import { call, cassette, client } from '../../support/conversation.ts';

const findings = (ignore: readonly Ignore[], ...calls: object[]) => {
  const { events } = cassette(...calls.map((args, id) => client(call(id, 'read', { ...args }))));
  return hollowArgumentFindings(eventsToEntries(events), ignore).map(({ text }) => text);
};
const [tea, milk] = [{ path: '/srv/ada/data/tea' }, { path: '/srv/ada/data/milk' }];

it('rules that leave nothing of the arguments of different calls are noted', () => {
  const note = [expect.stringContaining('leave nothing of the arguments of tools/call "read" to compare. Its 2 calls')];
  expect(findings(['/params/arguments/path'], tea, milk)).toEqual(note);
  expect(findings(['/params/arguments'], tea, milk)).toEqual(note);
  expect(findings([/^.+$/], tea, milk)).toEqual(note);
});

it('rules that leave something, and calls that are the same, are not', () => {
  expect(findings([], tea, milk)).toEqual([]);
  expect(findings([/^.*\/data\//], tea, milk)).toEqual([]);
  expect(findings(['/params/arguments/path'], tea, { ...milk, lines: 3 })).toEqual([]);
  expect(findings(['/params/arguments/path'], tea, tea)).toEqual([]);
  expect(findings(['/params/arguments/path'], tea)).toEqual([]);
});
