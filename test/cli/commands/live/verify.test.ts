import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

const TAPE = `format: mcp-record/1
transport: stdio
events:
# What the fixture answers to everything: its params.
- client: { jsonrpc: "2.0", id: 1, method: ask, params: { a: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { a: 1 } }
`;

let folder: string;
let cassette: string;
let drifted: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-verify-'));
  cassette = join(folder, 'cassette.yaml');
  drifted = join(folder, 'drifted.yaml');
  writeFileSync(cassette, TAPE);
});
afterAll(() => rmSync(folder, { recursive: true }));

const { command, args } = fixture('answers.js');
const verify = async (...options: string[]) => {
  const { stdout, stderr, status } = await run(mcpRecord('verify', ...options, '--', command, ...args));
  return { stdout: stdout.toString(), stderr, status };
};

describe('mcp-record verify', () => {
  it('prints a line a step on standard output, and nothing else anywhere', async () => {
    const { stdout, stderr, status } = await verify(cassette);
    expect(stdout).toMatch(/^✓ ask {2}line 5 {2}\d+ ms\n\nnote: .* has no initialize: .*\n\n1 passed in [\d.]+ s\n$/);
    expect([stderr, status]).toEqual(['', 0]);
  });

  it.each([
    ['is not found', "require('./nope.js')", 2],
    ['ends at the first message', "process.stdin.once('data', () => process.exit(3))", 2],
    [
      'ends after it has answered a handshake that the cassette lacks',
      `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
         const { id, method } = JSON.parse(line);
         if (method === 'ask') process.exit(3);
         if (id) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {} } }));
       })`,
      1,
    ],
  ])('of a server that %s shows what it said, and ends with the right status', async (_, script, expected) => {
    const { stdout, status } = await run(mcpRecord('verify', cassette, '--', command, '-e', script));
    expect([stdout.toString(), status]).toEqual([expect.stringContaining('before it answered'), expected]);
  });

  it('takes options after the file as well as before it', async () => {
    const { stdout } = await verify(cassette, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      title: 'verify',
      file: cassette,
      steps: [{ status: 'passed' }],
    });
  });

  it.each([
    [['--ignore-pattern', 'v\\d+'], 0],
    [['--ignore-pattern', 'v\\d+', '--update'], 0],
    [['--ignore-pattern', 'w\\d+'], 1],
  ])('with %j is content with another version in a text: status %i', async (options, expected) => {
    const text = TAPE.replace('params: { a: 1 }', 'params: { a: v2 }').replace('result: { a: 1 }', 'result: { a: v1 }');
    writeFileSync(drifted, text);
    expect((await verify(drifted, ...options)).status).toBe(expected);
    expect(readFileSync(drifted, 'utf8')).toBe(text);
  });

  it('hints at --propose-ignores where only a date differs, after the summary and on a text output only', async () => {
    const HINT =
      /\d failed.*\n\nhint: The differences look like .*\. This command proposes rules and options that ignore them: mcp-record verify --propose-ignores \S+ -- \S*node\S* .+\n$/;
    const write = (said: string, answered: string) =>
      writeFileSync(drifted, TAPE.replace('{ a: 1 }', `{ a: ${said} }`).replace('{ a: 1 }', `{ a: ${answered} }`));
    write('"Report of 2026-11-27"', '"Report of 2026-11-26"');
    const { stdout, status } = await verify(drifted);
    expect(stdout).toMatch(HINT);
    expect(status).toBe(1);
    for (const option of ['--json', '--propose-ignores']) {
      const { stdout, stderr } = await verify(drifted, option);
      expect(stdout + stderr).not.toContain('hint:');
    }
    write('"Report of 2026-11-27, 3 rows"', '"Report of 2026-11-26, 4 rows"');
    expect((await verify(drifted)).stdout).not.toContain('hint:');
    write('"Report of 2026-11-27"', '"Report of 2026-11-26"');
    expect((await verify(drifted, '--update')).stdout).not.toContain('hint:');
  });

  it('takes a live value that a rule redacts for any placeholder, and says which option is missing', async () => {
    const secrets = join(folder, 'secrets.yaml');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const id = (n: number) => `ORD-${'0'.repeat(3)}${n}-ab`;
    const texts = (one: string, two: string) => ({
      text: `{"id":"${one}","next":"${two}","again":"${one}"}`,
      blob: base64(`a longer text around ${two}, encoded`),
    });
    const recorded = texts('[redacted:pattern:7]', '[redacted:pattern:1]');
    const write = (result: object) =>
      writeFileSync(
        secrets,
        `${TAPE.replace('{ a: 1 }', JSON.stringify(texts(id(1), id(2)))).replace('{ a: 1 }', JSON.stringify(result))}`,
      );
    const rule = ['--redact-pattern', 'ORD-\\d+-ab'];
    write(recorded);
    expect(await verify(secrets, ...rule)).toMatchObject({ status: 0, stderr: '' });
    const without = await verify(secrets);
    expect(without.status).toBe(1);
    expect(without.stdout).toContain('The cassette has a redacted value at /result/text');
    expect(without.stdout).toContain('--redact-pattern');
    write({ ...recorded, text: recorded.text.replace('again', 'changed') });
    const changed = await verify(secrets, ...rule);
    expect(changed.status).toBe(1);
    expect(changed.stdout).toMatch(/✗ ask: \/result\/text \(".*changed.*" → ".*again.*"\) \(/);
    expect(changed.stdout).not.toContain('ORD-');
    expect(changed.stdout).toMatch(/^ *-.*"changed".*\n *\+.*"again"/m);
    write({ ...recorded, blob: base64('another text around [redacted:pattern:1], encoded') });
    expect((await verify(secrets, ...rule)).status).toBe(1);
    write(texts(id(3), id(4)));
    const clear = await verify(secrets, ...rule);
    expect([clear.status, clear.stdout.includes('ORD-')]).toEqual([1, false]);
    expect(clear.stdout.split('\n')[0]).toMatch(/^✗ ask: .+ \(.*:5\)$/);
  });

  it('updates the cassette where it differs, and is content with it then', async () => {
    writeFileSync(drifted, TAPE.replace('result: { a: 1 }', 'result: { a: 2 }'));
    expect((await verify(drifted)).status).toBe(1);
    const { stdout, stderr, status } = await verify(drifted, '--update');
    expect(stdout).toMatch(/^↻ ask: \/result\/a \(2 → 1\) \([\s\S]*\n1 taken over, 0 passed in /);
    expect(stderr).toContain(`${drifted}: 1 event now holds what the live server said.`);
    expect(status).toBe(0);
    expect(readFileSync(drifted, 'utf8')).toBe(
      TAPE.replace(/- server: .*\n/, '- server:\n    jsonrpc: "2.0"\n    id: 1\n    result:\n      a: 1\n'),
    );
    expect((await verify(drifted)).status).toBe(0);
  });

  it('names the breaking changes that an update takes over, and takes over no error in place of a success', async () => {
    const session = (name: string, answer: string) => `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/list }
- server: { jsonrpc: "2.0", id: 1, result: { tools: [{ name: ${name}, inputSchema: { type: object } }] } }
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: a } }
- server: { jsonrpc: "2.0", id: 2, ${answer} }
`;
    const [old, now] = ['old-tool.yaml', 'new-tool.yaml'].map((name) => join(folder, name));
    const update = async () => {
      const server = mcpRecord('replay', now!);
      const { stdout, stderr, status } = await run(
        mcpRecord('verify', '--update', old!, '--', server.command, ...server.args),
      );
      return { stdout: stdout.toString(), stderr, status };
    };
    writeFileSync(old!, session('a', 'result: { content: [] }'));
    writeFileSync(now!, session('b', 'result: { content: [], isError: true }'));
    const refused = await update();
    expect(refused.stdout).toMatch(/^✗ tools\/call "a": /m);
    expect(refused.stderr).toMatch(/old-tool\.yaml:6\b.*\[CASSETTE_NOT_UPDATED\].*record the session again/s);
    expect(refused.status).toBe(2);
    expect(readFileSync(old!, 'utf8')).toBe(session('a', 'result: { content: [] }'));

    writeFileSync(now!, session('b', 'result: { content: [] }'));
    const taken = await update();
    expect(taken.stdout).toMatch(
      /note: A breaking change was taken over: tools\/list: tool "a" was renamed to "b" \(.*old-tool\.yaml:4\)\.\nnote: .*record the session again/,
    );
    expect(taken.status).toBe(0);
  });

  it('leaves a cassette alone that is up to date', async () => {
    expect(await verify(cassette, '--update')).toMatchObject({ stderr: '', status: 0 });
    expect(readFileSync(cassette, 'utf8')).toBe(TAPE);
  });

  it('notes that a recording has answers to nothing, and passes it', async () => {
    const odd = join(folder, 'odd.yaml');
    writeFileSync(
      odd,
      `${TAPE}- server: { jsonrpc: "2.0", id: 99, result: {} }\n- end: complete\n`.replace(
        'transport',
        'recorder: mcp-record 1.0.0\ntransport',
      ),
    );
    const { stdout, status } = await verify(odd);
    expect(stdout).toContain('note: The cassette itself has answers without a request, at line 8.');
    expect(status).toBe(0);
  });

  it.each([
    [['--timeout', 'soon'], 'USAGE_BAD_TIME', '--timeout 5000'],
    [['--max-time', '0'], 'USAGE_BAD_TIME', '--max-time 5000'],
    [['--slower', '0.5x'], 'USAGE_BAD_FACTOR', '--slower 2x'],
    [['--slower', '2'], 'USAGE_BAD_FACTOR', '--slower 2x'],
    [['--timing', 'slow'], 'USAGE_BAD_TIMING', '0.5x'],
    [['--ignore', 'result'], 'USAGE_BAD_POINTER', '/params/arguments/now'],
    [['--ignore-pattern', '(?=a)'], 'USAGE_BAD_PATTERN', 'no lookarounds'],
    [['--ignore', ''], 'USAGE_BAD_POINTER', 'the whole message'],
    [['--ignore', '/*'], 'USAGE_BAD_POINTER', 'the whole message'],
    [['--ignore-pattern', '.*'], 'USAGE_BAD_PATTERN', 'it matches every text'],
    [['--ignore-pattern', ''], 'USAGE_BAD_PATTERN', 'it is empty'],
    [['--junit', join(import.meta.filename, 'folder.xml')], 'USAGE_CANNOT_WRITE', 'a folder that may be written to'],
  ])('refuses %j as %s', async (options, code, says) => {
    const { stderr, status } = await verify(cassette, ...options);
    expect(status).toBe(2);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/\n\s+at .*\.js/);
  });

  it('refuses to go without a server, or without a cassette', async () => {
    const nothing = await run(mcpRecord('verify', cassette));
    expect([nothing.status, nothing.stderr]).toEqual([2, expect.stringContaining('[USAGE_ONE_SERVER]')]);
    expect(await verify(join(folder, 'none.yaml'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('[CASSETTE_NOT_FOUND]'),
    });
  });

  it('notes once that a list is missing, for its own difference and for --used-by', async () => {
    const called = join(folder, 'called.yaml');
    const request = '{ id: 1, method: tools/call, params: { name: a } }';
    writeFileSync(
      called,
      `format: mcp-record/1\nevents:\n- client: ${request}\n- server: { id: 1, result: { content: [] } }\n`,
    );
    for (const options of [[], ['--used-by', called]]) {
      const { stdout } = await verify(called, ...options);
      expect(stdout.match(/has no tools\/list/g)).toHaveLength(1);
    }
  });

  it('lets compatible changes pass on demand: the report is as green as the exit status', async () => {
    const listed = (tools: string) =>
      `format: mcp-record/1\ntransport: stdio\nevents:\n- client: { id: 1, method: tools/list }\n- server: { id: 1, result: { tools: [${tools}] } }\n`;
    const [old, now, less] = ['old.yaml', 'now.yaml', 'less.yaml'].map((name) => join(folder, name));
    writeFileSync(old!, listed('{ name: a }'));
    writeFileSync(now!, listed('{ name: a }, { name: b }'));
    writeFileSync(less!, listed('{ name: b }'));
    const report = join(folder, 'verify.xml');
    const live = (served: string, ...options: string[]) => {
      const server = mcpRecord('replay', served);
      return run(mcpRecord('verify', old!, '--junit', report, ...options, '--', server.command, ...server.args));
    };
    expect((await live(now!)).status).toBe(1);
    const { stdout, status } = await live(now!, '--fail-on', 'breaking');
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^✓ tools\/list/m);
    expect(stdout.toString()).toContain('note: --fail-on breaking does not fail tools/list: compatible: new tool "b"');
    const unguarded = 'note: What the cassette does not have is not guarded until verify --update adds it.';
    expect(stdout.toString()).toContain(unguarded);
    expect(readFileSync(report, 'utf8')).toContain('failures="0"');
    expect(readFileSync(report, 'utf8')).toContain('compatible: new tool "b"');
    expect((await live(less!, '--fail-on', 'breaking')).status).toBe(1);
    expect((await live(old!, '--fail-on', 'breaking')).stdout.toString()).not.toContain('not guarded');

    const user = join(folder, 'user.yaml');
    const calls = (name: string) =>
      writeFileSync(
        user,
        `format: mcp-record/1\ntransport: stdio\nevents:\n- client: { id: 1, method: tools/call, params: { name: ${name} } }\n`,
      );
    calls('z');
    const unused = await live(less!, '--used-by', user, '--fail-on', 'used');
    expect(unused.stdout.toString()).toContain(
      '--fail-on used does not fail tools/list: breaking: tool "a" was removed',
    );
    expect(unused.stdout.toString()).toContain('Breaking changes: 0 used, 1 used by none');
    expect(unused.status).toBe(0);
    expect(readFileSync(report, 'utf8')).toMatch(/failures="0"[\s\S]*used by none of the cassettes/);
    calls('a');
    const broken = await live(less!, '--used-by', user, '--fail-on', 'used');
    expect(broken.stdout.toString()).toContain(`used by ${user}:4`);
    expect(broken.status).toBe(1);
    expect(readFileSync(report, 'utf8')).toContain('failures="1"');
    expect((await live(now!, '--fail-on', 'breaking', '--update')).stderr).toContain('[USAGE_OPTION_WITHOUT_MEANING]');
  });

  it('fails on a definition that clients refuse, and on one that no validator takes', async () => {
    const listed = (tool: object) =>
      `format: mcp-record/1\ntransport: stdio\nevents:\n- client: { id: 1, method: tools/list }\n- server: { id: 1, result: { tools: [${JSON.stringify(tool)}] } }\n`;
    const [old, now] = ['valid.yaml', 'invalid.yaml'].map((name) => join(folder, name));
    const inputSchema = { type: 'object', properties: { p: { enum: ['a'] } } };
    writeFileSync(old!, listed({ name: 'a', inputSchema }));
    const live = async (tool: object) => {
      writeFileSync(now!, listed(tool));
      const server = mcpRecord('replay', now!);
      const options = ['--fail-on', 'breaking', '--', server.command, ...server.args];
      const { stdout, status } = await run(mcpRecord('verify', old!, ...options));
      return `${status} ${stdout}`;
    };
    expect(await live({ name: 'a', inputSchema, description: 'A' })).toMatch(/^0 /);
    expect(await live({ name: 'a', inputSchema, description: null })).toMatch(/^1 [\s\S]*: description must be string/);
    expect(await live({ name: 'a', inputSchema: { type: 'object', properties: { p: { enum: [] } } } })).toMatch(
      /^1 [\s\S]*: enum must have non-empty array/,
    );
    expect(await live({ name: 'a', inputSchema, execution: { taskSupport: 'required' } })).toMatch(
      /^1 [\s\S]*: new execution/,
    );
  });
});

/** Writes a cassette with one call, whose handshake and end are not in it. */
function writtenByHand(): string {
  const file = join(mkdtempSync(join(folder, 'list-')), 'list.yaml');
  writeFileSync(
    file,
    [
      'format: mcp-record/1',
      'events:',
      "- client: { jsonrpc: '2.0', id: 1, method: tools/list }",
      "- server: { jsonrpc: '2.0', id: 1, result: { tools: [] } }",
      '',
    ].join('\n'),
  );
  return file;
}

it('a last line without its line break is no answer: no client receives it', async () => {
  const file = writtenByHand();
  const answers = (ending: string) =>
    `process.stdin.on('data', (data) => { for (const line of String(data).trim().split('\\n')) { const { id, method } = JSON.parse(line); if (id === undefined) continue; const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } } : { tools: [] }; process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + (method === 'initialize' ? '\\n' : ${JSON.stringify(ending)})); } }).on('end', () => process.exit(0))`;
  const verify = (ending: string) =>
    run(mcpRecord('verify', '--timeout', '2000', file, '--', process.execPath, '-e', answers(ending)));
  expect((await verify('\n')).status).toBe(0);
  const { status, stdout } = await verify('');
  expect([status, stdout.toString()]).toEqual([1, expect.stringContaining('hung: no answer came in time')]);
});

it('an answer that comes when the client has given up is none: a server may write all at the end of its input', async () => {
  const file = writtenByHand();
  const buffers =
    "let said = ''; process.stdin.on('data', (data) => { for (const line of String(data).trim().split('\\n')) { const { id, method } = JSON.parse(line); if (id === undefined) continue; const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }; const answer = JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? result : { tools: [] } }) + '\\n'; if (method === 'initialize') process.stdout.write(answer); else said += answer; } }).on('end', () => process.stdout.write(said))";
  const { status, stdout } = await run(
    mcpRecord('verify', '--timeout', '500', file, '--', process.execPath, '-e', buffers),
  );
  expect([status, stdout.toString()]).toEqual([1, expect.stringContaining('hung: no answer came in time')]);
});
