import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';
import { file, newFolder, PATIENT } from './shrinking.ts';

/** Two calls at once, then one whose argument is the first answer, and a log that no client needs. */
const saved = file(`format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: weather-app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- client: { id: 2, method: tools/call, params: { name: weather, arguments: { city: Rome } } }
- server: { id: 1, result: { content: [{ type: text, text: 'Oslo: sunny' }] } }
- server: { id: 2, result: { content: [{ type: text, text: 'Rome: rain' }] } }
- client: { id: 3, method: tools/call, params: { name: save, arguments: { first: 'Oslo: sunny' } } }
- server: { id: 3, result: { content: [] } }
- server: { method: notifications/message, params: { level: info, data: saved } }
`);

const cities = ['Oslo', 'Rome', 'Bonn'];
/** Three calls at once. */
const atOnce = file(`format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: weather-app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
${cities.map((city, n) => `- client: { id: ${n + 1}, method: tools/call, params: { name: weather, arguments: { city: ${city} } } }\n`).join('')}
${cities.map((city, n) => `- server: { id: ${n + 1}, result: { content: [{ type: text, text: '${city}: sunny' }] } }\n`).join('')}`);

const ADDRESS = { stdio: '{server}', http: '{url}' } as const;

describe('a failure is shrunk to what a fixed client needs, too', () => {
  it.each([
    ['an order that a client takes badly', 'order@3,2', 'by-arrival', 'stdio'],
    ['an order over HTTP', 'order@3,2', 'by-arrival', 'http'],
    ['an error of which a client dies that swallows others', 'error-reply@3', 'swallows-errors', 'stdio'],
  ] as const)('%s', async (_, point, bug, transport) => {
    const client = (manner: string) => {
      const { command, args } = fixture('saves-a-report.js', manner, ADDRESS[transport]);
      return ['--', command, ...args];
    };
    const http = transport === 'http' ? ['--http'] : [];
    const small = newFolder();
    const options = [...http, '--point', point, '--budget', '10', ...PATIENT, '-o', small];
    const shrunk = await run(mcpRecord('shrink', ...options, saved, ...client(bug)));
    expect([shrunk.stdout.toString(), shrunk.stderr, shrunk.status]).toEqual([
      expect.stringContaining('9 of 10 messages left'),
      expect.anything(),
      0,
    ]);
    const [scenario, cassette] = [join(small, 'scenario.yaml'), join(small, 'cassette.yaml')];
    const failing = await run(mcpRecord('run', scenario, ...client(bug)));
    expect([failing.stdout.toString(), failing.status]).toEqual([expect.not.stringContaining('it fails, too'), 1]);
    const fixed = await run(mcpRecord('run', scenario, ...client('sound')));
    expect([fixed.stdout.toString(), fixed.status]).toEqual([expect.stringContaining(`✓ ${point}`), 0]);
    // It succeeds without the fault, too, or the sweep would stop before its first point.
    const swept = await run(mcpRecord('sweep', ...http, '--point', point, cassette, ...client('sound')));
    expect([swept.stdout.toString(), swept.status]).toEqual([expect.stringContaining('0 bad'), 0]);
  });
});

it('a client that swallows empty answers keeps them in its small cassette, so that a mended one passes', async () => {
  const client = (manner: string) => {
    const { command, args } = fixture('keeps-rows.js', manner, '{server}');
    return ['--', command, ...args];
  };
  const small = newFolder();
  const options = ['--point', 'order@3,2', '--budget', '10', ...PATIENT, '-o', small];
  await run(mcpRecord('shrink', ...options, atOnce, ...client('by-arrival')));
  const scenario = join(small, 'scenario.yaml');
  const failing = await run(mcpRecord('run', scenario, ...client('by-arrival')));
  expect([failing.stdout.toString(), failing.status]).toEqual([expect.stringContaining('failed: it ended with 1'), 1]);
  const fixed = await run(mcpRecord('run', scenario, ...client('sound')));
  expect([fixed.stdout.toString(), fixed.status]).toEqual([expect.stringContaining('✓ order@'), 0]);
});

describe('run with a cassette that lacks what the client asks for', () => {
  const lacking = file(`format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: weather-app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- client: { id: 2, method: tools/call, params: { name: weather, arguments: { city: Rome } } }
- server: { id: 1, result: { content: [{ type: text, text: 'Oslo: sunny' }] } }
- server: { id: 2, result: { content: [{ type: text, text: 'Rome: rain' }] } }
`);
  const { command, args } = fixture('saves-a-report.js', 'sound', '{server}');
  const played = async (point: string) => {
    const scenario = file(`cassette: ${lacking}\nplay: server\npoint: ${point}\nexpect: [{ verdict: good }]\n`);
    const { stdout, status } = await run(mcpRecord('run', scenario, '--', command, ...args));
    return { text: stdout.toString(), status };
  };

  it('says of an order that it fails in the recorded one, too, and why', async () => {
    const { text, status } = await played('order@3,2');
    expect(text).toMatch(/failed: it ended with 1 \(.*:4\)$/m);
    expect(text).toContain(
      'in the recorded order, it fails, too (it ended with 1. Cannot answer tools/call "save": no recorded call matches.).',
    );
    expect(text).toMatch(/standard error:\n[\s\S]*no recorded call matches/);
    expect(text).not.toContain('it ends with 0');
    expect(status).toBe(1);
  });

  it('fails for an error that its client reports without the fault, too: the fault is not tested', async () => {
    const { text, status } = await played('error-reply@3');
    expect(text).toMatch(
      /the fault is not tested, since the client fails without it, too: it ended with 1\. Cannot answer tools\/call "save"/,
    );
    expect(status).toBe(1);
  });
});
