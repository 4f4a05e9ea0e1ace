import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const cassette = join(temporaryFolder(), 'calls.yaml');
const CALLS = 14;
const CUTS = CALLS + 1;

const call = (n: number) => `
- client: { id: ${n}, method: tools/call, params: { name: call-${n} } }
- server: { id: ${n}, result: { content: [{ type: text, text: call-${n} }] } }`;
writeFileSync(
  cassette,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: calls, version: "1" } } }
- client: { method: notifications/initialized }${Array.from({ length: CALLS }, (_, n) => call(n + 1)).join('')}
`,
);

interface Found {
  results: { verdict: string; point: { name: string; title: string } }[];
}

// Side by side: most of the time both wait for a client that hangs.
it.concurrent.each([
  ['stdio', [], '{server}'],
  ['HTTP', ['--http'], '{url}'],
])(
  'a sweep of a client on an SDK over %s finds each call at whose loss it hangs, crashes, leaks or lies',
  {
    timeout: 300_000,
  },
  async (_, transport, server) => {
    const { command, args } = fixture('swept-sdk.js', String(CALLS), server);
    const options = [...transport, '--faults', 'cut', '--deadline', '30000', '--json'];
    // Clients of the SDK do not notice the loss of an event stream: they wait for the answer.
    const env = { PATIENCE: '5000' };
    const { stdout, status } = await run({
      ...mcpRecord('sweep', ...options, cassette, '--', command, ...args),
      env,
    });
    const { results } = JSON.parse(stdout.toString()) as Found;
    const bad = results.filter(({ verdict }) => verdict !== 'reported');
    expect(bad.map(({ verdict, point }) => `${verdict} ${point.title}`)).toEqual([
      'hung answer to tools/call "call-3"',
      'crashed answer to tools/call "call-5"',
      'leaked answer to tools/call "call-7"',
      'lied answer to tools/call "call-9"',
    ]);
    expect([results.length, status]).toEqual([CUTS, 1]);
  },
);
