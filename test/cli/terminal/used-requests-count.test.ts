import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { UsedRequestsCount } from '../../../src/cli/terminal/used-requests-count.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { mcpRecord } from '../../support/command.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';
import { titled } from '../../support/on-posix.ts';
import { END_OF_INPUT, hasTerminal, OnTerminal } from '../../support/terminal.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'cassettes', 'memory.yaml');
const plan = planServer(
  cassette(client(call(1, 'a')), server(result(1, '')), client(call(2, 'b')), client(request(3, 'ping'))).events,
);
const [a, b] = plan.entries.filter(({ from }) => from === 'client');

it('counts the recorded requests that came, over all clients, without pings', () => {
  const played = new UsedRequestsCount([plan]);
  expect(played.text()).toBe('0 of 2 recorded requests came');
  played.add({ plan, unused: [a!] });
  expect(played.text()).toBe('1 of 2 recorded requests came');
  played.add({ plan, unused: [b!] });
  expect(played.text()).toBe('all 2 recorded requests came');
});

it('counts those of a session whose plan it did not know', () => {
  const played = new UsedRequestsCount([]);
  played.add({ plan, unused: [a!, b!] });
  expect(played.text()).toBe('0 of 2 recorded requests came');
});

const events = loadCassette(file).events.filter(({ frame }) => frame.kind === 'message' && frame.from === 'client');
const first = events[0]!.frame;

it.runIf(hasTerminal)(titled('a replay on a terminal says at its end how much it played', 'terminals'), async () => {
  await using terminal = new OnTerminal(mcpRecord('replay', file));
  await terminal.shows('Ctrl-D ends it.');
  if (first.kind === 'message') terminal.type(`${first.json.text}\n`);
  await terminal.shows('"result"');
  terminal.type(END_OF_INPUT);
  await terminal.ended;
  expect(terminal.shown).toMatch(/\nmcp-record: played \S+memory\.yaml: 1 of \d+ recorded requests came\n$/);
});

it.runIf(hasTerminal)(titled('so does a replay over HTTP', 'terminals'), async () => {
  await using terminal = new OnTerminal(mcpRecord('replay', '--http', file));
  await terminal.shows('Ctrl-C ends it.');
  terminal.type('\u0003');
  await terminal.ended;
  expect(terminal.shown).toMatch(/\n\^Cmcp-record: \d+ recorded messages never came:\n/);
  expect(terminal.shown).toMatch(/\nmcp-record: played \S+memory\.yaml: 0 of \d+ recorded requests came\n$/);
});
