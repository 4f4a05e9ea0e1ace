import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, it } from 'vitest';
import type { Mcp } from '../../../src/adapters/test/mcp-types.ts';
import { cassetteName } from '../../../src/adapters/test/test-cassette-name.ts';
import { withMcp } from '../../../src/adapters/test/with-mcp.ts';
import { tool } from '../../../src/mock/handler.ts';
import { server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const file = join(temporaryFolder(), 'weather.test.js');
const cassetteOf = (name: string) => cassetteName({ file, names: [name] });

async function list(mcp: Mcp, mode: 'record' | 'replay'): Promise<number> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.connect(server(), { mode })) as Transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

it('gives what the test gives, and keeps the cassette of one that passed', async () => {
  const owner = { file, names: ['good'] };
  expect(await withMcp(owner, (mcp) => list(mcp, 'record'))).toBe(4);
  expect(await withMcp(owner, (mcp) => list(mcp, 'replay'))).toBe(4);
});

it('throws what the test throws, and keeps no cassette of it', async () => {
  const failing = withMcp({ file, names: ['bad'] }, async (mcp) => {
    await list(mcp, 'record');
    throw new Error('not as expected');
  });
  await expect(failing).rejects.toThrow('not as expected');
  expect(existsSync(dirname(cassetteOf('bad')))).toBe(true);
  expect(existsSync(cassetteOf('bad'))).toBe(false);
});

it('throws where the session was not as in the cassette', async () => {
  await withMcp({ file, names: ['short'] }, (mcp) => list(mcp, 'record'));
  const nothing = withMcp({ file, names: ['short'] }, (mcp) => mcp.connect(server(), { mode: 'replay' }));
  await expect(nothing).rejects.toThrow(/\[SESSION_FELL_SHORT\]/);
});

it('fails where another test has recorded the same cassette, and not where a failed one is tried again', async () => {
  const owner = { file, names: ['twice'] };
  const failing = withMcp(owner, async (mcp) => {
    await list(mcp, 'record');
    throw new Error('at first');
  });
  await expect(failing).rejects.toThrow('at first');
  expect(await withMcp(owner, (mcp) => list(mcp, 'record'))).toBe(4);
  await expect(withMcp(owner, (mcp) => list(mcp, 'record'))).rejects.toMatchObject({ code: 'CASSETTE_CLAIMED' });
});

it('throws what the test throws with what the session has found, since runners show one error', async () => {
  const failing = withMcp({ file, names: ['miss'] }, async (mcp) => {
    const { transport } = await mcp.server({ handlers: [tool('weather', () => 'sunny')] });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    await client.callTool({ name: 'wether', arguments: {} }).catch(() => {});
    throw new Error('not as expected');
  });
  await expect(failing).rejects.toThrow(/^not as expected\n\n[\s\S]*No handler answers tools\/call "wether"/);
});
