import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { eachOnPosix } from '../../support/on-posix.ts';
import { fixture, run } from '../../support/process.ts';
import type { Found } from './sweeps.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'session.yaml');
/** Messages of the server in the session with `swept-client.js`, by position. */
const AT = {
  opened: 1,
  firstPage: 2,
  secondPage: 3,
  progress: 4,
  worked: 5,
  question: 6,
  asked: 7,
  updated: 8,
  watched: 9,
  read: 10,
  lasted: 11,
};
writeFileSync(
  cassette,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: swept, version: '1' } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} }, serverInfo: { name: s, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/list, params: {} }
- server: { id: 1, result: { tools: [{ name: work, inputSchema: { type: object } }], nextCursor: more } }
- client: { id: 2, method: tools/list, params: { cursor: more } }
- server: { id: 2, result: { tools: [{ name: ask, inputSchema: { type: object } }] } }
- client: { id: 3, method: tools/call, params: { name: work, arguments: {}, _meta: { progressToken: 3 } } }
- server: { method: notifications/progress, params: { progressToken: 3, progress: 1, total: 1 } }
- server: { id: 3, result: { content: [{ type: text, text: worked }] } }
- client: { id: 4, method: tools/call, params: { name: ask, arguments: {} } }
- server: { id: 0, method: roots/list }
- client: { id: 0, result: { roots: [] } }
- server: { id: 4, result: { content: [{ type: text, text: asked }] } }
- client: { id: 5, method: tools/call, params: { name: watch, arguments: {} } }
- server: { method: notifications/resources/updated, params: { uri: 'file:///a' } }
- client: { id: 6, method: resources/read, params: { uri: 'file:///a' } }
- server: { id: 5, result: { content: [{ type: text, text: watched }] } }
- server: { id: 6, result: { contents: [{ uri: 'file:///a', text: a }] } }
- client: { id: 7, method: tools/call, params: { name: last, arguments: {} } }
- server: { id: 7, result: { content: [{ type: text, text: lasted }] } }
`,
);

/** Verdicts that accuse a client. `unreached` says that nothing was tested. */
const ACCUSATIONS: ReadonlySet<string> = new Set(['hung', 'crashed', 'leaked', 'lied']);

async function sweep(bug: string, options: readonly string[]) {
  const { command, args } = fixture('swept-client.js', bug, '{server}');
  const words = ['--deadline', '8000', '--json', ...options, cassette, '--', command, ...args];
  const { stdout, stderr } = await run(mcpRecord('sweep', ...words));
  expect(stdout.toString(), stderr.toString()).not.toBe('');
  return (JSON.parse(stdout.toString()) as Found).results;
}

async function accusations(bug: string, options: readonly string[]): Promise<string[]> {
  const results = await sweep(bug, options);
  return results
    .filter(({ verdict }) => ACCUSATIONS.has(verdict))
    .map(({ point, verdict }) => `${point.name} ${verdict}`);
}

const all = Object.values(AT);
const ANSWERS = all.filter((at) => at !== AT.progress && at !== AT.question && at !== AT.updated);
const at = (fault: string, messages: readonly number[], verdict: string) =>
  messages.map((message) => `${fault}@${message} ${verdict}`);

/** Bug of `swept-client.js`, the fault that shows it, and all accusations of a sweep with this fault. */
const BUGS: readonly (readonly [bug: string, fault: string, found: readonly string[]])[] = [
  ['waits-for-ever-for-its-session', 'stall', at('stall', [AT.opened], 'hung')],
  ['stops-its-timer-at-progress', 'drop', at('drop', [AT.worked], 'hung')],
  ['starts-its-server-again-for-ever', 'exit', at('exit', [AT.opened], 'hung')],
  ['forgets-a-read-that-is-refused', 'error-reply', at('error-reply', [AT.read], 'hung')],
  ['keeps-the-dialog-of-a-cancelled-question', 'cancel', at('cancel', [AT.question], 'hung')],
  ['dies-of-a-line-that-is-no-json', 'junk', at('junk', all, 'crashed')],
  ['dies-of-a-second-answer', 'duplicate', at('duplicate', ANSWERS, 'crashed')],
  ['dies-of-an-answer-that-comes-late', 'late', at('late', ANSWERS.slice(1), 'crashed')],
  ['reads-the-data-of-every-error', 'error-reply', at('error-reply', [AT.lasted], 'crashed')],
  ['dies-when-its-server-leaves', 'exit', at('exit', all, 'crashed')],
  ['listens-to-no-read', 'error-reply', at('error-reply', [AT.read], 'crashed')],
  ['parses-what-is-left-at-the-end', 'truncate', at('truncate', all, 'crashed')],
  ['takes-the-end-of-a-chunk-for-that-of-a-line', 'slice', at('slice', all, 'crashed')],
  ['has-no-room-for-a-long-line', 'oversize', at('oversize', all, 'crashed')],
  ['takes-any-json-for-a-message', 'corrupt:kind=not-json-rpc', at('corrupt', all, 'crashed')],
  ['throws-a-revision-where-nobody-catches-it', 'version', at('version', [AT.opened], 'crashed')],
  ['aborts-when-a-page-is-missing', 'drop', at('drop', [AT.secondPage], 'crashed')],
  ['dies-of-a-cancelled-question', 'cancel', at('cancel', [AT.question], 'crashed')],
  ['leaves-its-helper', 'drop', at('drop', [AT.worked], 'leaked')],
  ['goes-on-after-a-call-that-failed', 'drop', at('drop', [AT.watched], 'lied')],
  ['takes-progress-for-the-answer', 'drop', at('drop', [AT.worked], 'lied')],
  ['takes-any-answer', 'wrong-id', at('wrong-id', ANSWERS, 'lied')],
  ['ends-well-when-its-server-leaves', 'end', at('end', all, 'lied')],
  ['believes-the-first-page', 'drop', at('drop', [AT.secondPage], 'lied')],
  ['waits-for-no-read', 'drop', at('drop', [AT.read], 'lied')],
  ['takes-silence-for-an-answer', 'drop', at('drop', [AT.question, AT.asked], 'lied')],
  ['overwrites-its-exit-status', 'stall', at('stall', all, 'lied')],
  ['overwrites-its-exit-status', 'latency:3000', at('latency', all, 'lied')],
];

it('at least 20 different bugs are planted', () => {
  expect(new Set(BUGS.map(([bug]) => bug)).size).toBeGreaterThanOrEqual(20);
});

/** `PLANTED_BUGS=all` sweeps a client with each of them. Otherwise there are some of each verdict. */
const TRIED = process.env.PLANTED_BUGS === 'all' ? BUGS : BUGS.filter((_, index) => index % 3 === 0);

describe('a client that', () => {
  const isLeak = ([, , found]: (typeof BUGS)[number]) => found.some((one) => one.endsWith(' leaked'));

  eachOnPosix(
    'process groups',
    TRIED.filter(isLeak).map(([bug, fault, found]) => ({ bug, fault, found })),
    '$bug is accused at the right messages by $fault',
    async ({ bug, fault, found }) => {
      expect(await accusations(bug, ['--faults', fault])).toEqual(found);
    },
  );

  it.each(TRIED.filter((row) => !isLeak(row)))(
    '%s is accused at the right messages by %s',
    async (bug, fault, found) => {
      expect(await accusations(bug, ['--faults', fault])).toEqual(found);
    },
  );
});

it('a sound client is accused of nothing, with any fault', async () => {
  const results = await sweep('sound', ['--faults', 'all']);
  expect(results.filter(({ verdict }) => ACCUSATIONS.has(verdict))).toEqual([]);
  const reached = results.filter(({ verdict }) => verdict !== 'unreached');
  expect(reached.length).toBeGreaterThan(results.length / 2);
});
