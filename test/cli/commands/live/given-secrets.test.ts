import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const newName = freeNames(folder);

/** Values without the form of a secret, of a variable whose name says nothing. */
const [VARIABLE, SECRET] = ['OPAQUE', 'plain-orange-juice'];
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;

const session = (value: string) => `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: '2.0', id: 1, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: a, version: '1' } } }
- server: { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: repeats, version: '1' } } }
- client: { jsonrpc: '2.0', method: notifications/initialized }
- client: { jsonrpc: '2.0', id: 2, method: tools/call, params: { name: say, arguments: { opaque: '${value}' } } }
- server: { jsonrpc: '2.0', id: 2, result: { content: [{ type: text, text: 'you said ${value}' }] } }
`;
const cassette = join(folder, 'cassette.yaml');
writeFileSync(cassette, session(`[redacted:${VARIABLE}:1]`).replace('you said', 'you have said'));
const scenario = (play: string) => {
  const file = join(folder, `${play}.scenario.yaml`);
  const expected = play === 'client' ? 'call: tools/call\n    ends: fails' : 'exit: 1';
  writeFileSync(file, `cassette: cassette.yaml\nplay: ${play}\nexpect:\n  - ${expected}\n`);
  return file;
};

const words = (...args: string[]) => {
  const { command, args: rest } = fixture('repeats-what-it-got.js', ...args);
  return [command, ...rest];
};
/** Sends the session of the cassette with other arguments, which a mock server does not have. */
const ASKS = `const [command, ...args] = process.argv.slice(1);
const server = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = ${JSON.stringify(session('LIVE').split('\n'))};
for (const id of [1, 2]) server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method: id === 1 ? 'initialize' : 'tools/call', params: id === 1 ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } } : { name: 'say', arguments: { opaque: 'not ' + process.env.${VARIABLE} } } }) + '\\n');
let answers = 0;
require('node:readline').createInterface({ input: server.stdout }).on('line', () => ++answers === 2 && server.stdin.end());
server.on('exit', () => process.exit(0));
`;

/** Runs a command that gets the secret, and returns all that it has printed or written. */
async function madeBy(args: readonly string[], input = ''): Promise<string> {
  const { stdout, stderr } = await run({ ...mcpRecord(...args), env: { [VARIABLE]: SECRET } }, input);
  return `${stdout}${stderr}`;
}

describe('a secret of --secrets-from-env that looks like none', () => {
  it('is in nothing that verify prints or writes', async () => {
    const updated = newName();
    copyFileSync(cassette, updated);
    const [xml, log] = [newName(), newName()];
    const verify = (...options: string[]) =>
      madeBy(['verify', updated, '--secrets-from-env', VARIABLE, ...options, '--', ...words('lives')]);
    const said = await verify('--junit', xml, '--sarif', log);
    for (const text of [
      said,
      await verify('--update'),
      ...[updated, xml, log].map((file) => readFileSync(file, 'utf8')),
    ]) {
      expect(text.replaceAll(`you said ${SECRET}\n`, '')).not.toContain(SECRET);
      expect(text).toContain(`you said [redacted:${VARIABLE}:1]`);
    }
  });

  it('is in nothing that load prints', async () => {
    const given = ['--secrets-from-env', VARIABLE, '--for', '100ms', '--clients', '1'];
    const said = await madeBy(['load', cassette, ...given, '--', ...words('lives')]);
    expect(said).not.toContain(SECRET);
    expect(said).toContain(`you said [redacted:${VARIABLE}:1]`);
  });

  it.each([
    ['load', ['--for', '100ms', '--clients', '1']],
    ['load', ['--for', '100ms', '--clients', '1', '--json']],
    ['verify', []],
    ['sweep', ['--server', '--faults', 'slice', '--deadline', '400']],
    ['sweep', ['--server', '--faults', 'slice', '--deadline', '400', '--json']],
  ])('is in no title of a request that %s prints or writes %j', async (command, options) => {
    const [titled, xml] = [newName(), newName()];
    writeFileSync(titled, session('x').replace('name: say', `name: 'say [redacted:${VARIABLE}:1]'`));
    const given = ['--secrets-from-env', VARIABLE, '--junit', xml, ...options];
    const said = await madeBy([command, titled, ...given, '--', ...words('lives')]);
    const texts = `${said}${readFileSync(xml, 'utf8')}`;
    expect(texts).not.toContain(SECRET);
    expect(texts).toContain(`[redacted:${VARIABLE}:1]`);
  });

  it('is not in the cassette of a fork', async () => {
    const forked = newName();
    const call = {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'say', arguments: { opaque: SECRET } },
    };
    const options = ['-o', forked, '--on-difference', 'report', '--secrets-from-env', VARIABLE];
    await madeBy(['fork', `${cassette}:8`, ...options, '--', ...words('lives')], `${JSON.stringify(call)}\n`);
    expect(readFileSync(forked, 'utf8')).not.toContain(SECRET);
    expect(readFileSync(forked, 'utf8')).toContain(`you said [redacted:${VARIABLE}:1]`);
  });

  it.each([
    ['verify', []],
    ['replay', []],
    ['load', ['--for', '100ms']],
    ['check', []],
  ])('is refused by %s if it is empty', async (command, options) => {
    const live = command === 'replay' ? [] : ['--', ...words('lives')];
    const { stdout, stderr, status } = await run({
      ...mcpRecord(command, ...options, cassette, '--secrets-from-env', VARIABLE, ...live),
      env: { [VARIABLE]: '' },
    });
    expect(`${stdout}${stderr}`).toMatch(
      /OPAQUE is empty; line \d+ needs it\. \[SECRETS_MISSING\]\s+.*pull request from a fork/,
    );
    expect(status).toBe(2);
  });

  it('is replaced beside its name only if it is a short word, as in a recording', async () => {
    const [updated, forked] = [newName(), newName()];
    writeFileSync(updated, session(`[redacted:${VARIABLE}:1]`).replace(/you said .*'/, "you have said'"));
    const given = ['--secrets-from-env', VARIABLE];
    const params = { name: 'say', arguments: { opaque: 'said' } };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params });
    const made = async (args: readonly string[]) => {
      const { stdout, stderr } = await run({ ...mcpRecord(...args), env: { [VARIABLE]: 'said' } }, `${call}\n`);
      return `${stdout}${stderr}`;
    };
    const fork = ['fork', `${updated}:8`, '-o', forked, '--on-difference', 'report', ...given];
    const live = ['--', ...words('lives')];
    for (const text of [
      (await made([...fork, ...live])) && readFileSync(forked, 'utf8'),
      await made(['verify', updated, ...given, ...live]),
      await made(['verify', '--update', updated, ...given, ...live]),
      readFileSync(updated, 'utf8'),
    ])
      expect(text).toContain('you said said');
    expect(readFileSync(updated, 'utf8')).toContain(`opaque: '[redacted:${VARIABLE}:1]'`);
    expect(readFileSync(forked, 'utf8')).toMatch(/opaque"?: "?\[redacted:OPAQUE:1\]/);
  });

  it.each([['--json'], ['--junit']])('is not in the results of a sweep: %s', async (option) => {
    const xml = newName();
    const form = option === '--junit' ? [option, xml] : [option];
    const given = ['--secrets-from-env', VARIABLE, '--faults', 'duplicate', '--deadline', '5000', ...form];
    const said = await madeBy(['sweep', '--server', cassette, ...given, '--', ...words('dies')]);
    expect(said).toContain('crashed');
    for (const text of [said, existsSync(xml) ? readFileSync(xml, 'utf8') : said]) {
      expect(text).not.toContain(SECRET);
      expect(text).toContain(`[redacted:${VARIABLE}:1]`);
    }
  });

  it('is not in what shrink prints and writes', async () => {
    const small = newName();
    const options = ['--server', '--point', 'duplicate@3', '-o', small, '--budget', '2', '--deadline', '5000'];
    const given = ['--secrets-from-env', VARIABLE];
    const said = await madeBy(['shrink', cassette, ...options, ...given, '--', ...words('dies', '--token', TOKEN)]);
    const files = readdirSync(small).map((name) => readFileSync(join(small, name), 'utf8'));
    expect(files).toHaveLength(2);
    for (const text of [said, ...files]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(TOKEN);
    }
    expect(files.join()).toMatch(/--token \\?"\$\w+\\?"/);
  });

  it('is not in what replay says of a request that the cassette does not have', async () => {
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'say', arguments: { opaque: `not ${SECRET}` } },
    });
    const { stderr } = await run(
      { ...mcpRecord('replay', cassette, '--secrets-from-env', VARIABLE), env: { [VARIABLE]: SECRET } },
      `${call}\n`,
    );
    expect(stderr).not.toContain(SECRET);
    expect(stderr).toContain(`not [redacted:${VARIABLE}:1]`);
  });

  it.each(['client', 'server'])('is not in what run prints and keeps: play %s', async (play) => {
    const kept = newName();
    const options = ['--secrets-from-env', VARIABLE, '--keep', kept];
    const tested = play === 'client' ? words('lives') : [process.execPath, '-e', ASKS, '{server}'];
    const said = await madeBy(['run', scenario(play), ...options, '--', ...tested]);
    for (const text of [said, readFileSync(kept, 'utf8')]) expect(text).not.toContain(SECRET);
    expect(readFileSync(kept, 'utf8')).toContain(`[redacted:${VARIABLE}:1]`);
  });
});

describe('a token in the command line of the program under test', () => {
  it.each([
    ['a client that never reaches the mock server', ['sweep', cassette, '--', process.execPath, '-e', '', TOKEN]],
    [
      'a client that fails by itself',
      ['sweep', cassette, '--', process.execPath, '-e', 'console.error(process.argv); process.exit(3)', TOKEN],
    ],
    [
      'the command that repeats a point',
      [
        'sweep',
        '--server',
        cassette,
        '--secrets-from-env',
        VARIABLE,
        '--faults',
        'duplicate',
        '--',
        ...words('dies', TOKEN),
      ],
    ],
    ['a client that run cannot reach', ['run', scenario('server'), '--', process.execPath, '-e', '', TOKEN]],
  ])('is not printed: %s', async (_, args) => {
    const said = await madeBy(args);
    expect(said).not.toContain(TOKEN);
    expect(said).toContain('[redacted:github-token:1]');
  });
});
