import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { projectIn } from '../support/project.ts';

const root = join(import.meta.dirname, '..', '..');
const { folder, env } = projectIn(temporaryFolder(), ['vitest', '@modelcontextprotocol/sdk', 'zod']);
copyFileSync(join(root, 'test/fixtures/documents/server.js'), join(folder, 'server.js'));

const TEST = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';

test('weather', async ({ mcp }) => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(await mcp.connect({ command: 'node', args: ['server.js'] }));
  const { content } = await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
  expect(content[0].text).toBe('Oslo: sunny');
});
`;

it('under watch a test records once, replays from then on, and fails where it asks for something else', async () => {
  const file = join(folder, 'a.test.js');
  writeFileSync(file, TEST);
  const watch = 'exec node node_modules/vitest/vitest.mjs --watch 2>&1';
  const watching = spawn('bash', ['-c', watch], { cwd: folder, env: { ...env, CI: '', VITEST: '' } });
  onTestFinished(() => void watching.kill());
  const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]();

  /** What is said until the next run has ended. */
  const run = async () => {
    const said: string[] = [];
    while (!said.at(-1)?.includes('for file changes')) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`vitest has ended: ${said.join('\n')}`);
      said.push(value);
    }
    return said.join('\n');
  };
  const cassettes = () =>
    readdirSync(join(folder, '__cassettes__'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => readFileSync(join(folder, '__cassettes__', name), 'utf8'));

  expect(await run()).toContain('1 passed');
  const recorded = cassettes();
  expect(recorded).toHaveLength(1);
  appendFileSync(file, '// again\n');
  expect(await run()).toContain('1 passed');
  writeFileSync(file, TEST.replaceAll('Oslo', 'Rome'));
  expect(await run()).toContain('no recorded call matches');
  writeFileSync(file, TEST);
  expect(await run()).toContain('1 passed');
  expect(cassettes()).toEqual(recorded);
});
