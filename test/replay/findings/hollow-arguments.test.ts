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

it('rules that leave nothing of the arguments of a tool are noted', () => {
  const note = [expect.stringContaining('leave nothing of the arguments of tools/call "read" to compare. Its 2 calls')];
  expect(findings(['/params/arguments/path'], tea, milk)).toEqual(note);
  expect(findings(['/params/arguments'], tea, milk)).toEqual(note);
  expect(findings([/^.*(?:tea|milk)$/], tea, milk)).toEqual(note);
  expect(findings(['/params/arguments/path'], tea, tea)).toEqual(note);
});

it('rules that leave nothing of the only call of a tool are noted', () => {
  const note =
    /arguments of tools\/call "read" to compare\. Its call gets the recorded answer, whatever the client asks/;
  expect(findings(['/params/arguments'], tea)).toEqual([expect.stringMatching(note)]);
});

it.each([['/params'], ['/params/name'], [/^.+$/]])(
  'the rule %s leaves out the names of tools, which is noted',
  (rule) => {
    const note = /names of tools to compare\. A call gets a recorded answer, whatever tool the client calls/;
    expect(findings([rule], tea, milk)).toEqual([expect.stringMatching(note)]);
  },
);

it('rules that leave something, and calls without arguments, are not', () => {
  expect(findings([], tea, milk)).toEqual([]);
  expect(findings([/^.*\/data\//], tea, milk)).toEqual([]);
  expect(findings(['/params/arguments/path'], tea, { ...milk, lines: 3 })).toEqual([]);
  expect(findings(['/params/arguments/path'], {})).toEqual([]);
});
