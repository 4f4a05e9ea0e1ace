import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { fixture, Running, run } from '../support/process.ts';

/** `SWEEP_SEEDS=10` draws with ten seeds, for all that is drawn. Otherwise there is one. */
const SEEDS = Array.from({ length: Number(process.env.SWEEP_SEEDS ?? 1) }, (_, n) => String(n + 1));
const folder = temporaryFolder();
const three = join(folder, 'three.yaml');
const CITIES = ['Oslo', 'Rome', 'Lima'];
writeFileSync(
  three,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: '1' } } }
- client: { method: notifications/initialized }
${CITIES.map((city, n) => `- client: { id: ${n + 1}, method: tools/call, params: { name: weather, arguments: { city: ${city} } } }\n`).join('')}${CITIES.map(
  (city, n) => `- server: { id: ${n + 1}, result: { content: [{ type: text, text: '${city}: sunny' }] } }\n`,
).join('')}`,
);
const calls = join(folder, 'calls.yaml');
writeFileSync(
  calls,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: calls, version: '1' } } }
- client: { method: notifications/initialized }
${[1, 2].map((n) => `- client: { id: ${n}, method: tools/call, params: { name: call-${n} } }\n- server: { id: ${n}, result: { content: [{ type: text, text: call-${n} }] } }\n`).join('')}`,
);
/** Faults that a client on an SDK survives, so that the second of two happens. */
const SURVIVED = 'duplicate,junk,latency:delay=100,slice';
/** How long a client waits for an answer. */
const PATIENCE = '3000';

/** Sweeps, and returns what is printed if anything is bad. */
async function accusationsOf(words: readonly string[]): Promise<string[]> {
  const { command, args } = mcpRecord('sweep', '--deadline', '20000', ...words);
  const { stdout, stderr, status } = await run({ command, args, env: { ...process.env, PATIENCE } });
  return status === 0 ? [] : [`${words.join(' ')}\n${stdout}${stderr}`];
}

const TRANSPORTS = [
  ['stdio', [], '{server}'],
  ['HTTP', ['--http'], '{url}'],
] as const;

describe.each(SEEDS)('with seed %s, a sweep accuses of nothing', (seed) => {
  const drawn = [
    ['--pairs', '4', '--seed', seed],
    ['--orders', '4', '--seed', seed],
  ];

  it.each(['1', '2'])('a server on SDK %s over stdio', async (major) => {
    const { command, args } = fixture('concurrent-server.js', 'sound', major);
    for (const options of drawn) {
      expect(await accusationsOf(['--server', ...options, three, '--', command, ...args])).toEqual([]);
    }
  });

  it.each(['1', '2'])('a server on SDK %s over HTTP', async (major) => {
    await using running = new Running(fixture('concurrent-server.js', 'sound', major, 'http'));
    const url = await running.line();
    for (const options of drawn) {
      expect(await accusationsOf(['--server', '--http', ...options, three, url])).toEqual([]);
    }
  });

  describe.each(TRANSPORTS)('over %s', (_, transport, server) => {
    const [pairs, orders] = drawn as [string[], string[]];

    it('a client on an SDK, for two faults in a run', async () => {
      const { command, args } = fixture('swept-sdk.js', '2', server);
      expect(
        await accusationsOf([...transport, ...pairs, '--faults', SURVIVED, calls, '--', command, ...args]),
      ).toEqual([]);
    });

    it.each(['1', '2'])('a client on SDK %s, for orders of messages', async (major) => {
      const { command, args } = fixture('concurrent-calls.js', 'sound', major, server);
      expect(await accusationsOf([...transport, ...orders, three, '--', command, ...args])).toEqual([]);
    });
  });
});
