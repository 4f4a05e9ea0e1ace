import { expect, it } from 'vitest';
import type { CassetteEvent } from '../../../src/cassette/cassette.ts';
import { unusedByAll } from '../../../src/replay/findings/unused-entries.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { call, cassette, client, notification, request, result, server } from '../../support/conversation.ts';

const { events } = cassette(
  client(notification('initialized')),
  client(request(0, 'ping')),
  client(call(1, 'a')),
  server(result(1, 'A')),
  client(call(2, 'b')),
  server(result(2, 'B')),
);
const played = { file: 'cassette.yaml', plan: planServer(events) };
const [initialized, , a, , b] = played.plan.entries;

it('two clients together use what neither uses alone', () => {
  const runs = [
    { ...played, unused: [initialized!, a!] },
    { ...played, unused: [initialized!, b!] },
  ];
  expect(unusedByAll(played, runs)).toMatchObject([{ kind: 'unused', entries: [initialized] }]);
});

it('a cassette that all of is used has no finding', () => {
  expect(unusedByAll(played, [{ ...played, unused: [] }])).toEqual([]);
});

it('all but pings is unused where no client came, or played another cassette, or another session of it', () => {
  const all = [{ kind: 'unused', entries: [initialized, a, b] }];
  expect(unusedByAll(played, [])).toMatchObject(all);
  expect(unusedByAll(played, [{ file: 'other.yaml', plan: planServer(events), unused: [] }])).toMatchObject(all);
  expect(unusedByAll(played, [{ ...played, plan: planServer(events), unused: [] }])).toMatchObject(all);
});

it('a request and a notification that the cassette calls optional are not expected', () => {
  const optional = (event: CassetteEvent) => ({ ...event, match: { optional: true } });
  const plan = planServer(events.map((event, index) => (index === 0 || index === 2 ? optional(event) : event)));
  expect(unusedByAll({ file: 'cassette.yaml', plan }, [])).toMatchObject([
    { kind: 'unused', entries: [plan.entries[4]] },
  ]);
});
