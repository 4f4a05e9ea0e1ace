import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, expect, it, vi } from 'vitest';
import { openSession } from '../../src/modes/open-session.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { fixture } from '../support/process.ts';
import { sdkTransport } from '../support/sdk-transport.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const rules = join(folder, 'redaction.yaml');
writeFileSync(rules, "redact:\n- { pattern: 'think of (\\S+)', name: hint }\n- { key: customer }\n");
const inProject = () => vi.stubEnv('MCP_RECORD_REDACT_RULES', rules);
afterEach(() => void vi.unstubAllEnvs());

/** Calls the tool `hint` for a customer, in a session that records or replays `cassette`. */
async function hint(cassette: string, customer: string) {
  const session = await openSession({ cassette, server: fixture('gives-a-token.js'), env: {} });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(sdkTransport(session.channel));
  const called = client.callTool({ name: 'hint', arguments: { customer } });
  const { content } = (await called.catch(({ message }: Error) => ({ content: message }))) as { content: unknown };
  await client.close();
  return { content, ...(await session.finish({ passed: true })) };
}

it('rules of the project redact what a test records, and hold for its replay', async () => {
  const file = newFile();
  inProject();
  const first = await hint(file, 'cust-4711');
  expect(first).toMatchObject({
    mode: 'record',
    failed: false,
    content: [{ type: 'text', text: 'think of [redacted:hint:1]' }],
  });
  expect(readFileSync(file, 'utf8')).not.toMatch(/Orbit|4711/);
  // The customer of this run equals the placeholder.
  expect(await hint(file, 'cust-4712')).toMatchObject({ mode: 'replay', failed: false, content: first.content });
  vi.unstubAllEnvs();
  expect(await hint(file, 'cust-4712')).toMatchObject({ mode: 'replay', failed: true });
});
