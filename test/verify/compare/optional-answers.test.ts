import { expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { planClient } from '../../../src/replay/plan/client-plan.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import {
  call,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { type Edit, live } from '../live.ts';

const restarted = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'restarted' } };
const changed = notification('tools/list_changed');

/** A session in which a recorder has answered the first call, and sent the notification. */
const session = withOptional(
  [1, 2],
  cassette(
    client(call(1, 'slow')),
    server(restarted),
    server(changed),
    client(request(2, 'tools/list')),
    server({ jsonrpc: '2.0', id: 2, result: { tools: [] } }),
    clientCloses,
  ),
);

function withOptional(indices: readonly number[], recorded: Cassette): Cassette {
  const events = recorded.events.map((event, n) =>
    indices.includes(n) ? { ...event, match: { optional: true } } : event,
  );
  return { ...recorded, events };
}

/** The session with these events optional only. */
function required(optional: readonly number[]): Cassette {
  return withOptional(optional, cassette(...session.events.map(({ frame }) => frame)));
}

async function steps(edit: Edit, recorded = session) {
  const { driven, heard } = await live({ ...recorded, end: 'complete' }, edit);
  const outcome = compareSession({ file: 'cassette.yaml', driven });
  return { heard, steps: outcome.steps.map(({ line, status, headline }) => [line, status, headline ?? '']) };
}

const SKIPPED = 'is not compared: the answer in the cassette is optional';

it('an optional answer is not compared, and an optional notification may be left out: both are said', async () => {
  const edit: Edit = (said) => (said.id === 1 ? [result(1, 'done')] : said.method ? [] : [said]);
  const expected = [
    [1, 'skipped', SKIPPED],
    [3, 'skipped', 'may be left out, and did not come'],
    [4, 'passed', ''],
  ];
  expect((await steps(edit)).steps).toEqual(expected);
  const asRequired = await steps(edit, required([]));
  expect(asRequired.steps.filter(([, status]) => status === 'failed')).toHaveLength(2);
});

it('a server that never gives an optional answer does not hang the client', async () => {
  const { steps: found, heard } = await steps((said) => (said.id === 1 || said.method ? [] : [said]));
  expect(found[0]).toEqual([1, 'skipped', SKIPPED]);
  expect(heard.at(-1)).toBe('close');
  const demanded = await steps((said) => (said.id === 1 ? [] : [said]), required([2]));
  expect(demanded.steps[0]).toEqual([1, 'failed', 'hung: no answer came in time']);
});

it('a server that dies of the call fails, as everywhere', async () => {
  const { steps: found } = await steps((said) => (said.id === 1 ? [exits(1)] : [said]));
  expect(found[0]).toEqual([1, 'failed', 'crashed: the server exited with 1 before it answered']);
});

it('a notification that came is compared', async () => {
  const other = { ...changed, params: { other: true } };
  const { steps: found } = await steps((said) => (said.method ? [other] : [said]));
  expect(found[1]).toEqual([3, 'failed', expect.stringContaining('/params is new')]);
});

it('a session with nothing but optional answers verifies nothing, which fails', async () => {
  const only = withOptional([1], cassette(client(call(1, 'slow')), server(restarted), clientCloses));
  expect((await steps((said) => [said], only)).steps).toContainEqual([
    undefined,
    'failed',
    'nothing was verified: the cassette has no server message to compare',
  ]);
});

it('no message of the client waits for what is optional', () => {
  const needs = (recorded: Cassette) =>
    [...planClient(recorded.events).sequences].flatMap(({ steps: all }) => all.map((step) => [step.entry, step.needs]));
  const read = [client(request(0, 'tools/list')), server({ jsonrpc: '2.0', id: 0, result: { tools: [] } })];
  const { events } = cassette(...read, ...session.events.map(({ frame }) => frame));
  // The second list follows the notification in the cassette.
  expect(needs(withOptional([3, 4], { ...session, events }))).toEqual([
    [0, []],
    [2, [1]],
    [5, []],
    [7, [6]],
  ]);
  expect(needs({ ...session, events })).toEqual([
    [0, []],
    [2, [1]],
    [7, [3, 6, 4]],
    [5, [3, 4]],
  ]);
});

it('a question that is optional is not demanded, and neither is the answer of the client', async () => {
  const asked = cassette(
    client(request(0, 'tools/list')),
    server({ jsonrpc: '2.0', id: 0, result: { tools: [] } }),
    server(request('q', 'roots/list')),
    client({ jsonrpc: '2.0', id: 'q', result: { roots: [] } }),
    client(call(1, 'add')),
    server(result(1, 'sum')),
    clientCloses,
  );
  const silent: Edit = (said) => (said.method === 'roots/list' ? [] : [said]);
  expect((await steps(silent, withOptional([2], asked))).steps).toEqual([
    [1, 'passed', ''],
    [3, 'skipped', 'may be left out, and did not come'],
    [5, 'passed', ''],
  ]);
  expect((await steps((said) => [said], withOptional([2], asked))).steps).toEqual([
    [1, 'passed', ''],
    [5, 'passed', ''],
  ]);
  const demanded = await steps(silent, asked);
  expect(demanded.steps.filter(([, status]) => status === 'failed')).toEqual([
    [3, 'failed', 'dropped: the server did not ask this'],
  ]);
  const needs = (recorded: Cassette) =>
    [...planClient(recorded.events).sequences].flatMap(({ steps: all }) => all.map((step) => [step.entry, step.needs]));
  // The call waits for the list, and the end for the call: neither waits for the question.
  expect(needs(withOptional([2], asked))).toEqual([
    [0, []],
    [4, [1]],
    [6, [5]],
    [3, []],
  ]);
});
