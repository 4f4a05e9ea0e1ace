import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { exampleValue } from '../../../../src/contract/example-value.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord, program } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const folder = temporaryFolder();
let files = 0;
const newFile = () => join(folder, `${files++}.mock.yaml`);
const real = (name: string, ...args: string[]) => {
  const started = program(`@modelcontextprotocol/server-${name}`, 'dist/index.js', ...args);
  return [started.command, ...started.args];
};

async function connected(command: string, args: string[]): Promise<Client> {
  const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  return client;
}

describe.each([
  ['everything', real('everything', 'stdio')],
  ['filesystem', real('filesystem', folder)],
  ['memory', real('memory')],
])('mcp-record new, of the real server %s', (_, [command, ...args]) => {
  it('writes a mock that lists the same and answers each tool as its schema has it', async () => {
    const file = newFile();
    const { stderr, status } = await run(mcpRecord('new', '-o', file, '--', command!, ...args));
    expect([stderr, status]).toEqual([expect.stringContaining(`wrote ${file}: `), 0]);

    const real = await connected(command!, args);
    const mock = await connected(...(Object.values(mcpRecord('mock', file)) as [string, string[]]));
    expect(mock.getServerVersion()).toEqual(real.getServerVersion());
    expect(mock.getInstructions()).toEqual(real.getInstructions());
    const { tools } = await real.listTools();
    expect(tools.length).toBeGreaterThan(5);
    expect((await mock.listTools()).tools).toEqual(tools);
    if (real.getServerCapabilities()!.resources) {
      expect((await mock.listResources()).resources).toEqual((await real.listResources()).resources);
      expect(await mock.listResourceTemplates()).toEqual(await real.listResourceTemplates());
    }
    if (real.getServerCapabilities()!.prompts)
      expect((await mock.listPrompts()).prompts).toEqual((await real.listPrompts()).prompts);
    // The client checks structured content with the output schema.
    for (const { name, inputSchema, execution } of tools) {
      // The client calls it in no other way than as a task.
      if (execution?.taskSupport === 'required') {
        expect(stderr).toContain(`as which alone clients call ${name}.`);
        continue;
      }
      const call = { name, arguments: exampleValue(inputSchema) as Record<string, unknown> };
      expect(await mock.callTool(call)).not.toHaveProperty('isError', true);
    }
    await Promise.all([real.close(), mock.close()]);
  });
});
