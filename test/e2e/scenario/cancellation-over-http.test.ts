import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const envelope = `
      io.modelcontextprotocol/protocolVersion: "2026-07-28"
      io.modelcontextprotocol/clientCapabilities: {}
      io.modelcontextprotocol/clientInfo: { name: leaves-a-call, version: "1" }`;
const call = (id: number, name: string, more = '') => `- client:
    id: ${id}
    method: tools/call
    params:
     name: ${name}
     _meta:${envelope}${more}
  stream: ${id}
`;
const result = (id: number, text: string, rest = '') =>
  `- server: { id: ${id}, result: { resultType: complete, content: [{ type: text, text: ${text} }] } }
  stream: ${id}
${rest}`;
const slow = `format: mcp-record/1
transport: http
url: http://localhost/mcp
events:
- client:
    id: 1
    method: server/discover
    params:
     _meta:${envelope}
  stream: 1
- server:
    id: 1
    result:
      resultType: complete
      supportedVersions: ["2026-07-28"]
      capabilities: { tools: {} }
      ttlMs: 0
      cacheScope: private
  stream: 1
${call(2, 'slow', '\n      progressToken: 2')}- server: { method: notifications/progress, params: { progressToken: 2, progress: 1 } }
  stream: 2
  sse: {}
`;
const next = `${call(3, 'next')}${result(3, 'next')}`;

async function said(...words: string[]) {
  const { status, stdout, stderr } = await run(mcpRecord(...words));
  return { status, text: stdout.toString(), stderr };
}

it('a client of 2026-07-28 that closes the stream of its call cancels it, for run, show and diff', async () => {
  writeFileSync(at('left.yaml'), `${slow}- close: client\n  stream: 2\n${next}`);
  writeFileSync(at('answered.yaml'), `${slow}${result(2, 'slow', '  sse: {}\n')}${next}`);
  const expected = '- { call: tools/call, name: slow, ends: cancelled }\n- { exit: 0 }\n';
  writeFileSync(at('scenario.yaml'), `cassette: left.yaml\nplay: server\ntransport: http\nexpect:\n${expected}`);
  const { command, args } = fixture('leaves-a-call.js', '{url}');

  const ran = await said('run', '--keep', at('kept.yaml'), at('scenario.yaml'), '--', command, ...args);
  expect([ran.status, ran.text]).toEqual([0, expect.stringContaining('✓ tools/call "slow" is cancelled')]);

  const shown = await said('show', at('kept.yaml'));
  expect(shown.text).toMatch(/^ *(\d+) .* cancelled .*tools\/call "slow"[\s\S]*→ closes its stream.* for \1$/m);
  expect(shown.text).toContain('(2 answered, 1 cancelled)');

  const compared = await said('diff', at('answered.yaml'), at('kept.yaml'));
  expect([compared.status, compared.text]).toEqual([1, expect.stringContaining('"slow": answered → cancelled (')]);
  expect((await said('diff', at('left.yaml'), at('kept.yaml'))).text).toBe('3 the same\n');

  for (const words of [['lint'], ['check']]) expect((await said(...words, at('kept.yaml'))).status).toBe(0);
});
