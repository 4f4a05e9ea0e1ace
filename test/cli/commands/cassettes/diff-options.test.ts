import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diffCommand } from './diff-command.ts';

const { folder, put, run } = diffCommand();

describe('mcp-record diff', () => {
  it('exits with 1 where a rule is loosened', () => {
    const call = '- client:\n    id: 1\n    method: tools/call\n    params: { name: price }\n';
    const session = `format: mcp-record/1\ntransport: stdio\nevents:\n${call}- server:\n    id: 1\n    result: { content: [] }\n`;
    put('old.yaml', session);
    put('new.yaml', `${session}  match: { ignore: ['/result/content'] }\n`);
    const { stdout, status } = run('diff', 'old.yaml', 'new.yaml');
    expect(status).toBe(1);
    expect(stdout).toContain(
      '✗ The settings of the answer to tools/call "price" differ: old.yaml:8, new.yaml:8: match.ignore: none → ["/result/content"]',
    );
    expect(stdout).toMatch(/^1 with other settings, 0 the same$/m);
    const json = run('diff', '--json', 'old.yaml', 'new.yaml');
    expect(JSON.parse(json.stdout)).toMatchObject({ otherSettings: 1, notes: [expect.stringContaining('price')] });
    expect(json.status).toBe(1);
  });

  it('lets compatible changes pass on demand, and says so; what breaks callers or has no rule fails', () => {
    const listed = (tools: string, more = '') =>
      `format: mcp-record/1\ntransport: stdio\nevents:\n- client: { id: 1, method: tools/list }\n- server: { id: 1, result: { tools: [${tools}]${more} } }\n`;
    put('old.yaml', listed('{ name: a }'));
    put('new.yaml', listed('{ name: a }, { name: b }'));
    const ofBreaking = (...args: string[]) => run('diff', '--fail-on', 'breaking', ...args);
    expect(run('diff', 'old.yaml', 'new.yaml').status).toBe(1);
    const { stdout, status } = ofBreaking('--junit', 'diff.xml', 'old.yaml', 'new.yaml');
    expect(stdout).toContain(
      'note: --fail-on breaking does not fail tools/list: compatible: new tool "b" (new.yaml:4)',
    );
    expect(stdout).toMatch(/^1 changed, 0 the same$/m);
    expect(status).toBe(0);
    const junit = readFileSync(join(folder, 'diff.xml'), 'utf8');
    expect(junit).toContain('tests="1" failures="0"');
    expect(junit).toContain('compatible: new tool "b"');
    const json = JSON.parse(ofBreaking('--json', 'old.yaml', 'new.yaml').stdout);
    expect(json.entries).toMatchObject([{ hasAllChanges: true, passes: true }]);

    expect(ofBreaking('--junit', 'diff.xml', 'new.yaml', 'old.yaml').status).toBe(1);
    expect(readFileSync(join(folder, 'diff.xml'), 'utf8')).toContain('failures="1"');
    put('more.yaml', listed('{ name: a }, { name: b }', ', extra: 5'));
    expect(ofBreaking('old.yaml', 'more.yaml').status).toBe(1);
    const usage = run('diff', '--fail-on', 'braking', 'old.yaml', 'new.yaml');
    expect(usage.stderr).toContain('[USAGE_BAD_FAIL_ON]');
    expect(usage.status).toBe(2);
  });

  it('says whom a breaking change breaks, and fails only if that is anybody on demand', () => {
    const event = (side: string, json: object) => `- ${side}: ${JSON.stringify(json)}\n`;
    const session = (...events: string[]) => `format: mcp-record/1\ntransport: stdio\nevents:\n${events.join('')}`;
    const listed = (...names: string[]) =>
      session(
        event('client', { id: 1, method: 'tools/list' }),
        event('server', { id: 1, result: { tools: names.map((name) => ({ name })) } }),
      );
    put('three.yaml', listed('a', 'b', 'c'));
    put('without-b.yaml', listed('a', 'c'));
    put('without-c.yaml', listed('a', 'b'));
    mkdirSync(join(folder, 'tapes/deep'), { recursive: true });
    const clientInfo = { name: 'editor\u001b[2J', version: '1' };
    const calls = session(
      event('client', { id: 0, method: 'initialize', params: { clientInfo } }),
      event('client', { id: 1, method: 'tools/call', params: { name: 'b' } }),
    );
    put('tapes/deep/user.yaml', calls);
    const used = (...args: string[]) => run('diff', '--used-by', 'tapes/**', ...args);

    const broken = used('--fail-on', 'used', 'three.yaml', 'without-b.yaml');
    expect(broken.stdout).toContain(
      '  breaking: tool "b" was removed (/result/tools/1)\n    used by tapes/deep/user.yaml:5 (editor\\u001b[2J 1)',
    );
    expect(broken.stdout).toContain('note: Breaking changes: 1 used, 0 used by none, in 1 cassette of tapes/**.');
    expect(broken.status).toBe(1);

    const unused = ['three.yaml', 'without-c.yaml'];
    expect(used(...unused).status).toBe(1);
    expect(used('--fail-on', 'breaking', ...unused).status).toBe(1);
    const passed = used('--fail-on', 'used', '--junit', 'diff.xml', ...unused);
    expect(passed.stdout).toContain('used by none of the cassettes');
    expect(passed.stdout).toContain('--fail-on used does not fail tools/list: breaking: tool "c" was removed');
    expect(passed.status).toBe(0);
    expect(readFileSync(join(folder, 'diff.xml'), 'utf8')).toMatch(/failures="0"[\s\S]*used by none of the cassettes/);

    const json = JSON.parse(used('--json', 'three.yaml', 'without-b.yaml').stdout);
    expect(json.entries[0].changes[0]).toMatchObject({
      affects: { kind: 'tools', name: 'b' },
      usedBy: [{ file: 'tapes/deep/user.yaml', line: 5, uses: 1 }],
    });
    const none = run('diff', '--used-by', 'none/**', ...unused);
    expect(none.stderr).toContain('[CASSETTE_NOT_FOUND]');
    expect(none.status).toBe(2);
    expect(run('diff', '--fail-on', 'used', ...unused).stderr).toContain('[USAGE_OPTION_WITHOUT_MEANING]');
  });
});
