import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { summarizeRecording } from '../../../src/record/summary/recording-summary.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();

it('counts calls and requests of the client, also in a batch, and lists what was redacted', () => {
  const file = join(folder, 'session.yaml');
  writeFileSync(
    file,
    `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: [{ jsonrpc: "2.0", id: 1, method: tools/call }, { jsonrpc: "2.0", id: 2, method: tools/list }]
- server: { jsonrpc: "2.0", id: 1, result: { text: "[redacted:github-token:1]" } }
- server: { jsonrpc: "2.0", id: 9, method: roots/list }
`,
  );
  const { calls, requests, redacted } = summarizeRecording(file);
  expect([calls, requests]).toEqual([1, 3]);
  expect(redacted.map(({ kind, line }) => [kind, line])).toEqual([['github-token', 7]]);
});
