/** What a raw client over stdio hears under each fault: every byte, and how the process ends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();

const ASK = '{"jsonrpc":"2.0","id":1,"method":"acme/flood","params":{"count":1,"_meta":{"progressToken":1}}}';
const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"count":1,"_meta":{"progressToken":1}}}';
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
const INITIALIZED = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}';
const DISCOVER = '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"a":1}}';
const DISCOVERED = '{"jsonrpc":"2.0","id":1,"result":{"a":1}}';

/** What the server says to a request: the one that lives, which gives params back, and that of the cassette. */
const SAYS: Record<string, readonly string[]> = {
  [ASK]: [PROGRESS, ANSWER],
  [INITIALIZE]: [INITIALIZED],
  [DISCOVER]: [DISCOVERED],
};

interface Row {
  do: string;
  [parameter: string]: unknown;
}

const answer = { method: 'acme/flood' };
const SIGKILLED = 137;
const CRASHED = 139;

/** A rule, what is heard, with the ends of lines to be seen, and the exit status; then what the client says. */
const rows: readonly (readonly [rule: Row, heard: string, status: number, ...said: string[]])[] = [
  [{ do: 'latency', delay: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'stall', when: answer }, 'PROGRESS⏎', 0],
  [{ do: 'stall', for: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'clog', for: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'throttle', rate: 100_000 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'slice', size: 7, gap: 0 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'coalesce' }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'slow-reader', rate: 100_000, when: { from: 'client' } }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'drop', when: answer }, 'PROGRESS⏎', 0],
  [{ do: 'duplicate' }, 'PROGRESS⏎PROGRESS⏎ANSWER⏎ANSWER⏎', 0],
  [{ do: 'reorder' }, 'ANSWER⏎PROGRESS⏎', 0],
  [{ do: 'late' }, 'PROGRESS⏎', 0],
  [{ do: 'truncate', when: answer }, 'PROGRESS⏎{"jsonrpc"', 0],
  [{ do: 'corrupt', when: answer }, `PROGRESS⏎{#${ANSWER.slice(2)}⏎`, 0],
  [{ do: 'corrupt', kind: 'invalid-utf8', when: answer }, `PROGRESS⏎{ÿ${ANSWER.slice(2)}⏎`, 0],
  [{ do: 'corrupt', kind: 'bad-json', when: answer }, `PROGRESS⏎${ANSWER.slice(0, -1)}⏎`, 0],
  [{ do: 'corrupt', kind: 'not-json-rpc', when: answer }, 'PROGRESS⏎{"mcp-record":"not JSON-RPC"}⏎', 0],
  [{ do: 'junk', text: 'hi', when: answer }, 'PROGRESS⏎hi⏎ANSWER⏎', 0],
  [{ do: 'junk', kind: 'bom', when: answer }, 'PROGRESS⏎ï»¿ANSWER⏎', 0],
  [{ do: 'oversize', bytes: 100, when: answer }, `PROGRESS⏎{${' '.repeat(100 - ANSWER.length)}${ANSWER.slice(1)}⏎`, 0],
  [{ do: 'wrong-id' }, `PROGRESS⏎${ANSWER.replace(':1,', ':"mcp-record:unknown",')}⏎`, 0],
  [{ do: 'wrong-id', id: 'other-type' }, `PROGRESS⏎${ANSWER.replace(':1,', ':"1",')}⏎`, 0],
  [
    { do: 'patch', merge: { result: { count: 2, _meta: null } }, when: answer },
    'PROGRESS⏎{"jsonrpc":"2.0","id":1,"result":{"count":2}}⏎',
    0,
  ],
  [
    { do: 'error-reply', code: -32001, message: 'no' },
    'PROGRESS⏎{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no"}}⏎',
    0,
  ],
  [{ do: 'end', when: answer }, 'PROGRESS⏎', 0],
  [{ do: 'cut', when: answer }, 'PROGRESS⏎', SIGKILLED],
  [{ do: 'cut', bytes: 5, when: answer }, 'PROGRESS⏎{"jso', SIGKILLED],
  [{ do: 'exit', status: 7, when: answer }, 'PROGRESS⏎', 7],
  [{ do: 'exit', status: 'SIGSEGV', when: answer }, 'PROGRESS⏎', CRASHED],
  [{ do: 'half-close', when: answer }, 'PROGRESS⏎', 0],
  [{ do: 'slow-close', for: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'down' }, '', 1],
  [{ do: 'version' }, `${INITIALIZED.replace('2025-11-25', '1999-01-01')}⏎`, 0, INITIALIZE],
  [{ do: 'discover-timeout' }, '', 0, DISCOVER],
  [{ do: 'ignore-cancel' }, 'PROGRESS⏎ANSWER⏎', 0, ASK, CANCEL],
  [{ do: 'progress' }, `${PROGRESS.replace('"progress":1', '"progress":-1')}⏎ANSWER⏎`, 0],
  [{ do: 'progress', kind: 'after-answer' }, 'ANSWER⏎PROGRESS⏎', 0],
  [
    { do: 'progress', kind: 'unknown-token' },
    `${PROGRESS.replace('Token":1', 'Token":"mcp-record:unknown"')}⏎ANSWER⏎`,
    0,
  ],
  [{ do: 'progress', kind: 'storm', count: 2 }, 'PROGRESS⏎PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'stderr-flood', bytes: 5_000, when: answer }, 'PROGRESS⏎ANSWER⏎', 0],
];

/** What takes a server that lives: one that a cancel does not silence, or that waits while it is read slowly. */
const FROM_THE_CLIENT: typeof rows = [
  [{ do: 'cancel' }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'slow-reader', rate: 100_000 }, 'PROGRESS⏎ANSWER⏎', 0],
];

const live = (...options: string[]) => {
  const { command, args } = fixture('answers.js');
  return mcpRecord('proxy', ...options, '--', command, ...args);
};

function replayed(asked: string) {
  const said = SAYS[asked]!.map((text) => `- server: ${text}\n`).join('');
  const cassette = join(folder, 'cassette.yaml');
  writeFileSync(cassette, `format: mcp-record/1\nevents:\n- client: ${asked}\n${said}`);
  return (...options: string[]) => mcpRecord('replay', ...options, cassette);
}

/** Says all at once, and then no more. */
async function observed(start: typeof live, rules: readonly Row[], said: readonly string[]) {
  const file = join(folder, 'faults.yaml');
  writeFileSync(file, JSON.stringify({ seed: 1, faults: rules }));
  const command = rules.length > 0 ? start('--faults', file) : start();
  const { stdout, status, stderr } = await run(command, said.map((line) => `${line}\n`).join(''));
  const heard = stdout
    .toString('latin1')
    .replaceAll(PROGRESS, 'PROGRESS')
    .replaceAll(ANSWER, 'ANSWER')
    .replaceAll('\n', '⏎');
  return { heard, status, stderr };
}

const titled = (table: typeof rows) =>
  table.map(([rule, heard, status, ...said]) => ({ title: JSON.stringify(rule), rule, heard, status, said }));

describe.each([
  ['live', () => live],
  ['replayed', replayed],
] as const)('of a %s server', (kind, starting) => {
  const all = kind === 'live' ? [...rows, ...FROM_THE_CLIENT] : rows;

  it.each(titled(all))('$title is heard as it is', async ({ rule, heard, status, said }) => {
    const [asked = ASK, ...more] = said;
    const ended = await observed(starting(asked), [rule], [asked, ...more]);
    expect([ended.heard, ended.status]).toEqual([heard, status]);
    if (rule.do === 'stderr-flood') expect(ended.stderr.length).toBeGreaterThan(5_000);
  });

  it.each([
    ['without a rule', []],
    [
      'with rules of which none fires',
      [
        { do: 'cut', when: { method: 'x/y' } },
        { do: 'drop', times: 0 },
      ],
    ],
  ])('all is heard %s', async (_, rules) => {
    const { heard, status } = await observed(starting(ASK), rules, [ASK]);
    expect([heard, status]).toEqual(['PROGRESS⏎ANSWER⏎', 0]);
  });
});

const all = [...FAULTS.values()].filter(({ transports }) => transports.includes('stdio')).map(({ name }) => name);

it(`every fault of stdio is shown, all ${all.length}, of a live server and of a replayed one`, () => {
  const shown = [...rows, ...FROM_THE_CLIENT].map(([rule]) => rule.do);
  expect([...new Set(shown)].sort()).toEqual(all.sort());
});
