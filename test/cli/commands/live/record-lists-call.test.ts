import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { isRequest } from '../../../../src/protocol/message.ts';
import { server } from '../../../e2e/http/processes.ts';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const newFile = freeNames(temporaryFolder());

function requestsIn(file: string): string[] {
  return loadCassette(file).events.flatMap(({ frame }) =>
    frame.kind === 'message' && isRequest(frame.json.value) && frame.from === 'client' ? [frame.json.value.method] : [],
  );
}

describe('mcp-record record --lists --call', () => {
  const sdk = (path: string) => import.meta.resolve(`@modelcontextprotocol/sdk/server/${path}`);
  /** A server with calls that succeed, fail and end it. `extra`: an answer has one field more. */
  const script = `import { McpServer } from '${sdk('mcp.js')}';
import { StdioServerTransport } from '${sdk('stdio.js')}';
import { z } from '${import.meta.resolve('zod')}';
const more = process.argv.includes('extra');
const server = new McpServer({ name: 'sums', version: '1' });
const shape = { sum: z.number(), ...(more && { extra: z.string() }) };
server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() }, outputSchema: shape }, ({ a, b }) => {
  const said = { sum: a + b, ...(more && { extra: 'x' }) };
  return { content: [{ type: 'text', text: JSON.stringify(said) }], structuredContent: said };
});
server.registerTool('fail', {}, () => ({ isError: true, content: [{ type: 'text', text: 'no \x1b[31mdisk' }] }));
server.registerTool('die', {}, () => process.exit(3));
await server.connect(new StdioServerTransport());`;
  const program = newFile().replace(/yaml$/, 'mjs');
  writeFileSync(program, script);
  const calling = (file: string, calls: readonly string[], ...args: string[]) => {
    const options = calls.flatMap((call) => ['--call', call]);
    return run(mcpRecord('record', '--lists', '-o', file, ...options, '--', process.execPath, program, ...args));
  };
  const add = 'add {"a": 1, "b": 12345678901234567890}';

  it('makes the calls in the session of the lists, in order, and names those that failed', async () => {
    const file = newFile();
    const { stderr, status } = await calling(file, [add, 'fail', ' add {"a":"x"} ']);
    expect(stderr).toContain(`mcp-record: 3 tools, 3 calls → ${file}. Compare`);
    expect(stderr).toContain('tools/call "fail" failed, and is recorded so: isError: no \\u001b[31mdisk\n');
    expect(stderr).toMatch(/tools\/call "add" failed, and is recorded so: isError: .*expected number/);
    expect(status).toBe(0);
    expect(requestsIn(file)).toEqual(['initialize', 'tools/list', 'tools/call', 'tools/call', 'tools/call']);
    expect(readFileSync(file, 'utf8')).toMatch(/b: 12345678901234567890\n/);
    const { stdout } = await run(mcpRecord('lint', file));
    expect(String(stdout)).toContain('0 errors, 0 warnings');
  });

  it('makes a cassette that a server with a new field of its outputSchema passes, and one with another answer fails', async () => {
    const file = newFile();
    await calling(file, ['add {"a": 1, "b": 2}']);
    const check = (...args: string[]) =>
      run(mcpRecord('check', '--fail-on', 'breaking', file, '--', process.execPath, program, ...args));
    expect((await check('extra')).status).toBe(0);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/sum: 3\b/, 'sum: 4'));
    expect((await check()).status).toBe(1);
  });

  it('calls a server of 2026-07-28', async () => {
    const file = newFile();
    await using modern = await server('modern.js');
    const name = await toolOf(String(modern.url));
    const { status } = await run(
      mcpRecord('record', '--lists', '--call', name, '-o', file, '--http', String(modern.url)),
    );
    expect(status).toBe(0);
    expect(requestsIn(file).at(-1)).toBe('tools/call');
  });

  it('names a call that the server does not answer', async () => {
    const { stderr, status } = await calling(newFile(), [add, 'die']);
    expect(stderr).toMatch(/Cannot record the call of "die": .* ended .*\[SERVER_CALL_UNANSWERED\]/);
    expect(status).toBe(2);
  });

  it.each([
    ['an unknown tool', 'ad {}', 'the server has no tool "ad": did you mean "add"?'],
    ['a tool like no other', 'weather', 'the server has no tool "weather": it has add, fail, die.'],
  ])('writes nothing where it names %s', async (_, call, why) => {
    const file = newFile();
    const { stderr, status } = await calling(file, [call]);
    expect([stderr, status]).toEqual([expect.stringContaining(`${why} [USAGE_BAD_CALL]`), 2]);
    expect(existsSync(file)).toBe(false);
  });

  it('has no meaning without --lists', async () => {
    const { stderr, status } = await run(mcpRecord('record', '--call', 'add', '-o', newFile(), '--', 'node'));
    expect([stderr, status]).toEqual([expect.stringContaining('[USAGE_OPTION_WITHOUT_MEANING]'), 2]);
  });
});

/** Returns the name of the first tool of a server. */
async function toolOf(url: string): Promise<string> {
  const file = newFile();
  await run(mcpRecord('record', '--lists', '-o', file, '--http', url));
  return /name: (\S+)\n +(?:title|description|inputSchema)/.exec(readFileSync(file, 'utf8'))![1]!;
}
