/** What a raw client over stdio hears under each fault: every byte, and how the process ends. Further rows are in stdio-bytes-by-parameter. */
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { ANSWER, ASK, answer, PROGRESS, type Row, rawStdioClient, SIGKILLED, titled } from './raw-stdio-client.ts';

const client = rawStdioClient(temporaryFolder());

const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
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

/** A row for each fault. */
const rows: readonly Row[] = [
  [{ do: 'latency', delay: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'stall', when: answer }, 'PROGRESS⏎', 0],
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
  [{ do: 'junk', text: 'hi', when: answer }, 'PROGRESS⏎hi⏎ANSWER⏎', 0],
  [{ do: 'oversize', bytes: 100, when: answer }, `PROGRESS⏎{${' '.repeat(100 - ANSWER.length)}${ANSWER.slice(1)}⏎`, 0],
  [{ do: 'wrong-id' }, `PROGRESS⏎${ANSWER.replace(':1,', ':"mcp-record:unknown",')}⏎`, 0],
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
  [{ do: 'cut', bytes: 5, when: answer }, 'PROGRESS⏎{"jso', SIGKILLED],
  [{ do: 'exit', status: 7, when: answer }, 'PROGRESS⏎', 7],
  [{ do: 'half-close', when: answer }, 'PROGRESS⏎', 0],
  [{ do: 'slow-close', for: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'down' }, '', 1],
  [{ do: 'version' }, `${INITIALIZED.replace('2025-11-25', '1999-01-01')}⏎`, 0, INITIALIZE],
  [{ do: 'discover-timeout' }, '', 0, DISCOVER],
  [{ do: 'ignore-cancel' }, 'PROGRESS⏎ANSWER⏎', 0, ASK, CANCEL],
  [{ do: 'progress' }, `${PROGRESS.replace('"progress":1', '"progress":-1')}⏎ANSWER⏎`, 0],
  [{ do: 'stderr-flood', bytes: 5_000, when: answer }, 'PROGRESS⏎ANSWER⏎', 0],
];

/** What takes a server that lives: one that a cancel does not silence, or that waits while it is read slowly. */
const FROM_THE_CLIENT: readonly Row[] = [
  [{ do: 'cancel' }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'slow-reader', rate: 100_000 }, 'PROGRESS⏎ANSWER⏎', 0],
];

describe.each([
  ['live', () => client.live],
  ['replayed', (asked: string) => client.replayed(asked, SAYS[asked]!)],
] as const)('of a %s server', (kind, starting) => {
  const all = kind === 'live' ? [...rows, ...FROM_THE_CLIENT] : rows;

  it.each(titled(all))('$title is heard as it is', async ({ rule, heard, status, said }) => {
    const [asked = ASK, ...more] = said;
    const ended = await client.observed(starting(asked), [rule], [asked, ...more]);
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
    const { heard, status } = await client.observed(starting(ASK), rules, [ASK]);
    expect([heard, status]).toEqual(['PROGRESS⏎ANSWER⏎', 0]);
  });
});

const all = [...FAULTS.values()].filter(({ transports }) => transports.includes('stdio')).map(({ name }) => name);

it(`every fault of stdio is shown, all ${all.length}, of a live server and of a replayed one`, () => {
  const shown = [...rows, ...FROM_THE_CLIENT].map(([rule]) => rule.do);
  expect([...new Set(shown)].sort()).toEqual(all.sort());
});
