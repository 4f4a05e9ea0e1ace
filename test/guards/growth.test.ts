import { expect, it } from 'vitest';
import { FORMAT } from '../../src/cassette/cassette.ts';
import { readFastYaml } from '../../src/cassette/read/fast-yaml/fast-yaml-reader.ts';
import { IncrementalCassetteParser } from '../../src/cassette/read/incremental-cassette-parser.ts';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { endText, eventText, headerText } from '../../src/cassette/write/format-event.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { serversIn } from '../../src/cli/wrap/find-servers-in-configuration.ts';
import { contractChanges } from '../../src/contract/contract-changes.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { lint } from '../../src/lint/lint.ts';
import { differences } from '../../src/match/json-difference.ts';
import { redactCassette } from '../../src/record/redact-file/redact-cassette.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { differenceText } from '../../src/text-report/difference-text.ts';
import { timelineOf } from '../../src/text-report/timeline-rows.ts';
import { SseDecoder } from '../../src/transports/http/sse/sse-decoder.ts';
import { LineDecoder } from '../../src/transports/stdio/line-decoder.ts';
import { gatherAnswers } from '../../src/verify/compare/gather-answers.ts';
import { call, cassette, client, notification, play, request, result, server } from '../support/conversation.ts';
import { live } from '../verify/live.ts';
import { workOf } from './work.ts';

/** Something of size `n`: what is prepared for it, then the task that is measured. */
type Trap = (n: number) => (() => unknown) | Promise<() => unknown>;

const many = (n: number) => Array.from({ length: n }, (_, index) => index);
const repeated = (n: number, unit: string) => many(n).reduce((text, id) => text + unit.replace('#', String(id)), '');
const calls = (n: number, text = 'x') =>
  many(n).flatMap((id) => [client(call(id, 'add', { id })), server(result(id, text))]);
const same = (n: number) => many(n).flatMap((id) => [client(call(id, 'now')), server(result(id, 'x'))]);
const called = (n: number) => many(n).map((id) => call(id, 'add', { id }));
const pieces = (text: string, size: number) =>
  many(Math.ceil(text.length / size)).map((at) => Buffer.from(text.slice(at * size, (at + 1) * size)));
const tools = (n: number, description: string) => ({
  result: {
    tools: many(n).map((id) => ({ name: `tool-${id}`, description, inputSchema: { type: 'object' } })),
  },
});
const list = request(0, 'tools/list');
const written = (frames: readonly Frame[]) =>
  headerText({ format: FORMAT, recorder: 'mcp-record 0.0.0', transport: 'stdio' }) +
  frames.map((frame) => eventText(frame)).join('') +
  endText('complete');

const TRAPS: [what: string, n: number, trap: Trap][] = [
  [
    'a line that comes in pieces',
    200,
    (n) => () => {
      const decoder = new LineDecoder({ from: 'server', on: 'protocol', line: () => {} });
      for (const piece of pieces(`${'x'.repeat(100 * n)}\n`, 100)) decoder.write(piece, 0);
    },
  ],
  [
    'an SSE event that comes in pieces',
    200,
    (n) => () => {
      const decoder = sse();
      for (const piece of pieces(`data: ${'x'.repeat(100 * n)}\n\n`, 100)) decoder.write(piece);
    },
  ],
  ['an SSE event of many lines', 200, (n) => () => sse().write(Buffer.from(`${'data: x\n'.repeat(n)}\n`))],
  [
    'a cassette that is read in pieces',
    50,
    (n) => () => {
      const walk = new IncrementalCassetteParser('cassette.yaml');
      for (const piece of pieces(written(calls(n)), 64)) walk.push(piece);
      walk.finish();
    },
  ],
  ['a cassette of many events', 50, (n) => () => parseCassette(written(calls(n)), 'cassette.yaml')],
  [
    'a cassette of long texts',
    500,
    (n) => () => parseCassette(written(calls(1, 'a "b"\n'.repeat(n))), 'cassette.yaml'),
  ],
  [
    'a mapping of many keys behind a text that is not ASCII',
    100,
    (n) => {
      const keys = many(n).map((id) => `key-${id}: x\n`);
      return () => readFastYaml(`text: "${'é'.repeat(100)}"\n${keys.join('')}`, 0);
    },
  ],
  [
    'a cassette of many aliases',
    20,
    (n) => {
      const events = many(n).map((id) => `- client: { id: ${id}, method: a, params: [${'*a, '.repeat(50)}] }\n`);
      return () => parseCassette(`format: mcp-record/1\nevents:\n- stderr: &a x\n${events.join('')}`, 'cassette.yaml');
    },
  ],
  ['writing long texts', 500, (n) => () => written(calls(1, 'a "b"\n'.repeat(n)))],
  [
    'calls of a long cassette',
    50,
    (n) => () => {
      const session = play(cassette(...calls(n)));
      for (const message of called(n)) session.says(message);
    },
  ],
  [
    'calls of a long cassette, in the opposite order',
    50,
    (n) => () => {
      const session = play(cassette(...calls(n)));
      for (const message of called(n).reverse()) session.says(message);
    },
  ],
  [
    'the same call many times',
    50,
    (n) => () => {
      const session = play(cassette(...same(n)));
      for (const id of many(n)) session.says(call(id, 'now'));
    },
  ],
  [
    'calls of a long cassette, all at once',
    50,
    (n) => () => {
      const session = play(cassette(...calls(n)));
      session.says(...called(n));
    },
  ],
  [
    'one call on a long cassette with other arguments',
    50,
    (n) => () => {
      const session = play(cassette(...calls(n)));
      session.says(call(0, 'add', { id: -1 }));
    },
  ],
  [
    'one call on a long cassette that has no such call',
    50,
    (n) => () => {
      const session = play(cassette(...calls(n)));
      session.says(call(0, 'subtract', { id: 0 }));
    },
  ],
  ['two sessions that are alike', 50, (n) => () => diffSessions(cassette(...calls(n)), cassette(...calls(n)))],
  ['two sessions of the same call', 100, (n) => () => diffSessions(cassette(...same(n)), cassette(...same(n)))],
  [
    'two sessions that differ everywhere',
    50,
    (n) => () => diffSessions(cassette(...calls(n)), cassette(...calls(n, 'y'))),
  ],
  [
    'two sessions in opposite orders',
    50,
    (n) => {
      const backwards = many(n)
        .reverse()
        .flatMap((id) => [client(call(id, 'add', { id })), server(result(id, 'x'))]);
      return () => diffSessions(cassette(...calls(n)), cassette(...backwards));
    },
  ],
  ['two lists of tools', 50, (n) => () => contractChanges(list, tools(n, 'a'), tools(n, 'b'))],
  [
    'a list that is another',
    50,
    (n) => () =>
      contractChanges(list, tools(n, 'a'), {
        result: { tools: many(n).map((id) => ({ name: `other-${id}`, description: String(id) })) },
      }),
  ],
  ['two long lists', 50, (n) => () => differences(many(n), many(n).reverse())],
  ['two long texts', 50, (n) => () => differenceText('a\n'.repeat(n), 'b\n'.repeat(n))],
  ['linting', 50, (n) => () => lint(cassette(...calls(n)))],
  ['a timeline', 50, (n) => () => timelineOf(cassette(...calls(n)))],
  [
    'a text with many secrets',
    400,
    (n) => () =>
      createRedactor({ env: {} }).text(
        many(n)
          .map((id) => `password=hunter-${id + 1_000}-hunter2x `)
          .join(''),
      ),
  ],
  [
    'many messages after many secrets',
    800,
    (n) => () => {
      const redactor = createRedactor({
        env: Object.fromEntries(many(n).map((id) => [`KEY_${id + 1_000}`, `s3cr3t-value-${id + 1_000}`])),
      });
      for (const id of many(n)) redactor.text(`{"id":${id + 1_000},"result":{"text":"s3cr3t-value-${id + 1_000}"}}`);
    },
  ],
  ['a text without secrets', 200, (n) => () => createRedactor({ env: {} }).text('The quick brown fox. '.repeat(n))],
  [
    'a text of commands that take passwords',
    200,
    (n) => () => createRedactor({ env: {} }).text(`mysql -p'${'mysql -u mysql -px1y2z3w4 \' " '.repeat(n)}`),
  ],
  [
    'a text of SQL that puts values into a table',
    100,
    (n) => () =>
      createRedactor({ env: {} }).text(
        `${"INSERT INTO u (a, password) VALUES ('a', (('b''".repeat(n)}${'INSERT INTO u ('.repeat(n)}`,
      ),
  ],
  ['a text of dashes', 2_000, (n) => () => createRedactor({ env: {} }).text('-'.repeat(n))],
  [
    'a cassette whose secrets are taken out',
    20,
    (n) => () =>
      redactCassette(written(calls(n, 'password=hunter2hunter2')), 'cassette.yaml', createRedactor({ env: {} })),
  ],
  [
    'a live session that is verified',
    20,
    async (n) => {
      const { driven } = await live(cassette(...calls(n)));
      return () => gatherAnswers(driven, []);
    },
  ],
  [
    'a list whose pages were not asked for',
    20,
    async (n) => {
      const page = (id: number, next?: number) =>
        server({
          jsonrpc: '2.0',
          id,
          result: { tools: [{ name: `tool-${id}` }], ...(next && { nextCursor: String(next) }) },
        });
      const pages = many(n).flatMap((id) => [
        client(request(id, 'tools/list', id === 0 ? undefined : { cursor: String(id) })),
        page(id, id + 1),
      ]);
      const all = { jsonrpc: '2.0', id: 0, result: { tools: [] } };
      const { driven } = await live(cassette(...pages), () => [all]);
      return () => gatherAnswers(driven, []);
    },
  ],
  ['a configuration in TOML', 50, (n) => () => serversIn(repeated(n, '[mcp_servers.a#]\na = 1\n'), 'a.toml')],
  ['a configuration in YAML', 50, (n) => () => serversIn(`servers:\n${repeated(n, '  a#:\n')}`, 'a.yaml')],
  [
    'notifications of a live server',
    20,
    (n) => () => {
      const session = play(
        cassette(
          client(call(0, 'add')),
          ...many(n).map((data) => server(notification('message', { data }))),
          server(result(0, 'x')),
        ),
      );
      session.says(call(0, 'add'));
      session.clock.advance(10);
    },
  ],
];

/** So many blocks, items or bytes may each of them cost the more, for sorting. */
const MORE_MAX = 20;

it.each(TRAPS)('%s: twice as much is twice the work', async (_what, n, trap) => {
  const measure = async (size: number) => workOf(await trap(size), { decoding: true });
  await measure(n);
  const [once, twice] = [await measure(n), await measure(2 * n)];
  expect(twice - 2 * once).toBeLessThan(MORE_MAX * n);
});

it.each(['-', '=', '_', '"', '%'])('a text of nothing but %s is hardly more work than one of letters', async (unit) => {
  const look = (text: string) => workOf(() => createRedactor({ env: {} }).text(text));
  await look('x');
  expect(await look(unit.repeat(10_000))).toBeLessThan((await look('x'.repeat(10_000))) * 3);
});

it('of two sessions that ask other things each request is compared with so many of the other at most', async () => {
  const others = async (n: number) => {
    const [a, b] = [cassette(...calls(n)), cassette(...calls(2 * n).slice(2 * n))];
    return workOf(() => diffSessions(a, b));
  };
  const [once, twice] = [await others(400), await others(800)];
  expect(twice).toBeLessThan(once * 2.5);
});

function sse() {
  return new SseDecoder({ event: () => {}, comment: () => {}, holdBytesMax: Number.POSITIVE_INFINITY });
}
