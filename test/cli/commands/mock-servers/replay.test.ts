import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

it('says that an address after --http belongs to --listen, and that another word is too much', async () => {
  const cassette = join(temporaryFolder(), 'a.yaml');
  writeFileSync(cassette, 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
  const said = async (...words: string[]) => {
    const { status, stderr } = await run(mcpRecord('replay', ...words, cassette));
    return [status, String(stderr)];
  };
  for (const address of ['127.0.0.1:8922', 'http://127.0.0.1:8922/mcp'])
    expect(await said('--http', address)).toEqual([
      2,
      expect.stringContaining('with --listen: mcp-record replay --http --listen 127.0.0.1:8922 FILE'),
    ]);
  expect(await said('--http', 'other.yaml')).toEqual([2, expect.stringContaining('a replay is of one file')]);
});
