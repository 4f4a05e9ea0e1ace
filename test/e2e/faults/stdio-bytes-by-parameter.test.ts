/** What a raw client over stdio hears under faults with other parameters than in stdio-bytes. */
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import {
  ANSWER,
  ASK,
  answer,
  CRASHED,
  PROGRESS,
  type Row,
  rawStdioClient,
  SIGKILLED,
  titled,
} from './raw-stdio-client.ts';

const client = rawStdioClient(temporaryFolder());

const rows: readonly Row[] = [
  [{ do: 'stall', for: 5 }, 'PROGRESS⏎ANSWER⏎', 0],
  [{ do: 'corrupt', kind: 'invalid-utf8', when: answer }, `PROGRESS⏎{ÿ${ANSWER.slice(2)}⏎`, 0],
  [{ do: 'corrupt', kind: 'bad-json', when: answer }, `PROGRESS⏎${ANSWER.slice(0, -1)}⏎`, 0],
  [{ do: 'corrupt', kind: 'not-json-rpc', when: answer }, 'PROGRESS⏎{"mcp-record":"not JSON-RPC"}⏎', 0],
  [{ do: 'junk', kind: 'bom', when: answer }, 'PROGRESS⏎ï»¿ANSWER⏎', 0],
  [{ do: 'wrong-id', id: 'other-type' }, `PROGRESS⏎${ANSWER.replace(':1,', ':"1",')}⏎`, 0],
  [{ do: 'cut', when: answer }, 'PROGRESS⏎', SIGKILLED],
  [{ do: 'exit', status: 'SIGSEGV', when: answer }, 'PROGRESS⏎', CRASHED],
  [{ do: 'progress', kind: 'after-answer' }, 'ANSWER⏎PROGRESS⏎', 0],
  [
    { do: 'progress', kind: 'unknown-token' },
    `${PROGRESS.replace('Token":1', 'Token":"mcp-record:unknown"')}⏎ANSWER⏎`,
    0,
  ],
  [{ do: 'progress', kind: 'storm', count: 2 }, 'PROGRESS⏎PROGRESS⏎ANSWER⏎', 0],
];

describe.each([
  ['live', client.live],
  ['replayed', client.replayed(ASK, [PROGRESS, ANSWER])],
] as const)('of a %s server', (_, start) => {
  it.each(titled(rows))('$title is heard as it is', async ({ rule, heard, status }) => {
    const ended = await client.observed(start, [rule], [ASK]);
    expect([ended.heard, ended.status]).toEqual([heard, status]);
  });
});
