import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { isRequest } from '../../../../src/protocol/message.ts';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

const newFile = freeNames(temporaryFolder());

const words = (...args: string[]) => {
  const { command, args: script } = fixture('pages-tools-of.js');
  return ['--', command, ...script, ...args];
};

function requestsIn(file: string): string[] {
  return loadCassette(file).events.flatMap(({ frame }) =>
    frame.kind === 'message' && isRequest(frame.json.value) && frame.from === 'client' ? [frame.json.value.method] : [],
  );
}

describe('mcp-record record --lists', () => {
  it('records the opening and each page of the declared lists, and nothing else', async () => {
    const file = newFile();
    const { stderr, status } = await run(mcpRecord('record', '--lists', '-o', file, ...words('2', 'a', 'b', 'c')));
    expect([stderr, status]).toEqual([expect.stringContaining(`mcp-record: 3 tools → ${file}. Compare`), 0]);
    const verify = stderr.trim().split('\n').at(-1);
    expect(verify).toMatch(/^ {2}mcp-record verify --fail-on breaking .* -- .* 2 a b c$/);
    expect(requestsIn(file)).toEqual(['initialize', 'tools/list', 'tools/list']);
    const { stdout } = await run(mcpRecord('lint', file));
    expect(String(stdout)).toContain('0 errors, 0 warnings');
  });
});
