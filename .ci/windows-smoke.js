/**
 * The command line on Windows, from end to end: `node .ci/windows-smoke.js [REPORT]`, after a build. Each step says how it went;
 * the report has the same text, since under wine the output of a program is no pipe of Unix. Ends with 1 where a step failed.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// Without it `fetch` fails in wine 8: it knows no such option of a socket.
Socket.prototype.setKeepAlive = function () {
  return this;
};

const report = process.argv[2];
const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'mcp-record.js');
const node = process.execPath;
const fixture = (name) => join(root, 'test', 'fixtures', name);
/** cmd.exe of wine knows no `^` before a blank, and before wine 10 none before `%`. */
const wine = process.env.WINE_MAJOR === undefined ? undefined : Number(process.env.WINE_MAJOR);
/** A folder whose name has what a shell would read: a blank, and letters beyond ASCII. */
const folder = mkdtempSync(join(tmpdir(), wine === undefined ? 'mcp record ä-' : 'mcp-record-'));
process.env.PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
const at = (...names) => join(folder, ...names);
process.chdir(folder);

const steps = [];
const step = (name, run) => steps.push({ name, run });
const say = (line) => (report ? appendFileSync(report, `${line}\n`) : console.log(line));

/** Under wine, on a busy machine, npx alone takes more than the minute after which the official client gives up. */
const PATIENT = { timeout: 240_000 };

/** Runs a command to its end; what it prints comes together with its status. */
function ran(command, args, { input = '', ...options } = {}) {
  return new Promise((resolve) => {
    const child = execFile(command, args, { ...PATIENT, ...options }, (error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? error?.code, stdout, stderr }),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
const mcpRecord = (args, options) => ran(node, [program, ...args], options);

/** Fails with all that the command has said. */
function ended({ status, stdout, stderr }, expected) {
  assert.equal(status, expected, `${stdout}\n${stderr}`);
  return { stdout, stderr };
}

/** A batch file as npm writes it for a package's program. */
function shim(path, script, ...args) {
  const words = [node, script, ...args].map((word) => `"${word}"`).join(' ');
  writeFileSync(path, `@ECHO off\r\n${words} %*\r\n`);
  return path;
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function gone(pid) {
  // A busy machine takes a while to end processes. None waits for this limit where all is well.
  for (let n = 0; n < 1_200 && isAlive(pid); n++) await wait(50);
  assert.equal(isAlive(pid), false, `process ${pid} is still there`);
}

/** The answers of a session of the official client. */
async function session(transport) {
  const client = new Client({ name: 'smoke', version: '1' });
  await client.connect(transport, PATIENT);
  const { tools } = await client.listTools({}, PATIENT);
  const sum = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }, undefined, PATIENT);
  const weather = await client.callTool({ name: 'weather', arguments: { city: 'Zürich' } }, undefined, PATIENT);
  await client.close();
  return { tools: tools.map(({ name }) => name), sum, weather };
}
const stdio = (...args) => new StdioClientTransport({ command: node, args: [program, ...args], stderr: 'ignore' });

const cassette = at('drifts.yaml');
const serverShim = shim(at('drifts.cmd'), fixture('drifts.js'));
let answers;

/** A client on the official SDK that asks for the weather; where that fails, it ends with 1, or hangs. */
const sdk = (path) => JSON.stringify(import.meta.resolve(`@modelcontextprotocol/sdk/client/${path}.js`));
const client = at('client.mjs');
writeFileSync(
  client,
  `import { appendFileSync } from 'node:fs';
import { Client } from ${sdk('index')};
import { StdioClientTransport } from ${sdk('stdio')};
const [, , manner, command, ...args] = process.argv;
const transport = new StdioClientTransport({ command, args, stderr: 'ignore' });
const client = new Client({ name: 'client', version: '1' });
const note = () => process.env.PROCESSES && appendFileSync(process.env.PROCESSES, process.pid + ' ' + transport.pid + '\\n');
try {
  const connected = client.connect(transport);
  note();
  await connected;
  await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
} catch {
  if (manner === 'hangs') await new Promise(() => setInterval(() => {}, 1000));
  process.exit(1);
}
await client.close();
`,
);

// What the other steps play.
async function recordThroughBatchFile() {
  answers = await session(stdio('record', '-o', cassette, '--', serverShim));
  assert.deepEqual(answers.tools, ['add', 'weather', 'work', 'ask']);
  assert.match(readFileSync(cassette, 'utf8'), /Zürich/);
  ended(await mcpRecord(['lint', cassette]), 0);
  ended(await ran(node, [client, 'fails', node, program, 'record', '-o', at('swept.yaml'), '--', serverShim]), 0);
}

step('record through npx', async () => {
  const project = at('project');
  mkdirSync(join(project, 'node_modules', '.bin'), { recursive: true });
  mkdirSync(join(project, 'node_modules', 'drifting'));
  const bin = { name: 'drifting', version: '1.0.0', bin: { drifting: fixture('drifts.js') } };
  writeFileSync(join(project, 'node_modules', 'drifting', 'package.json'), JSON.stringify(bin));
  writeFileSync(join(project, 'package.json'), '{"dependencies":{"drifting":"1.0.0"}}');
  shim(join(project, 'node_modules', '.bin', 'drifting.cmd'), fixture('drifts.js'));
  const npm = process.env.NPM_CLI ?? join(node, '..', 'node_modules', 'npm', 'bin', 'npx-cli.js');
  mkdirSync(at('bin'));
  shim(at('bin', 'npx.cmd'), npm);
  const env = { ...process.env, PATH: `${at('bin')}${delimiter}${process.env.PATH}`, npm_config_offline: 'true' };
  const transport = new StdioClientTransport({
    command: node,
    args: [program, 'record', '-o', at('npx.yaml'), '--', 'npx', '--no-install', 'drifting'],
    env,
    cwd: project,
    stderr: 'ignore',
  });
  assert.deepEqual(await session(transport), answers);
  ended(await mcpRecord(['lint', at('npx.yaml')]), 0);
});

step('record a script by its first line', async () => {
  writeFileSync(at('says-so.js'), '#!/usr/bin/env node\nconsole.log("{}")');
  const { stdout } = ended(await mcpRecord(['record', '-o', at('script.yaml'), '--', at('says-so.js')]), 0);
  assert.equal(stdout, '{}\n');
});

step('replay over stdio', async () => assert.deepEqual(await session(stdio('replay', cassette)), answers));

step('replay over HTTP', async () => {
  const server = spawn(node, [program, 'replay', '--http', cassette], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (said += data));
  while (!/http:\S+/.test(said) && server.exitCode === null)
    await Promise.race([once(server.stdout, 'data'), once(server.stderr, 'data')]);
  try {
    const [url] = said.match(/http:\/\/[\w.:/-]+/) ?? assert.fail(said);
    assert.deepEqual(await session(new StreamableHTTPClientTransport(new URL(url))), answers);
  } finally {
    server.kill();
    await once(server, 'close');
  }
});

step('verify', async () => {
  ended(await mcpRecord(['verify', cassette, '--', serverShim]), 0);
  ended(await mcpRecord(['verify', cassette, '--', node, fixture('drifts.js'), 'renamed-tool']), 1);
});

step('sweep, with a client that hangs', async () => {
  const batch = shim(at('client.cmd'), client, 'hangs');
  const processes = at('sweep-processes');
  const env = { ...process.env, PROCESSES: processes };
  const args = (...words) => [
    'sweep',
    '--json',
    '--point',
    'cut@2',
    '--deadline',
    // Limits the first run, too, which has taken 13 seconds on a busy machine. The hanging runs wait for all of it.
    '45000',
    at('swept.yaml'),
    '--',
    ...words,
  ];
  // The taskkill of older wines ends no trees.
  const seen = wine !== undefined && wine < 10 ? {} : { env };
  const sweeps = [
    mcpRecord(args(node, client, 'hangs', '{server}'), { env }),
    mcpRecord(args(batch, '{server}'), seen),
  ];
  for (const one of await Promise.all(sweeps)) {
    const { results } = JSON.parse(ended(one, 1).stdout);
    assert.deepEqual([...new Set(results.map(({ verdict }) => verdict))], ['hung']);
  }
  for (const pid of readFileSync(processes, 'utf8').trim().split(/\s+/)) await gone(Number(pid));
});

step('run a scenario', async () => {
  const scenario = {
    cassette: at('swept.yaml'),
    play: 'server',
    faults: [{ do: 'cut', when: { method: 'tools/call', kind: 'response' } }],
    expect: [{ fault: 1, fires: 1 }],
    deadline: PATIENT.timeout,
  };
  writeFileSync(at('scenario.yaml'), JSON.stringify(scenario));
  ended(await mcpRecord(['run', at('scenario.yaml'), '--', shim(at('fails.cmd'), client, 'fails'), '{server}']), 0);
});

step('prune', async () => {
  const kept = at('pruned', '__cassettes__', 'a.test.ts');
  mkdirSync(kept, { recursive: true });
  for (const name of ['used.yaml', 'unused.yaml']) writeFileSync(join(kept, name), readFileSync(cassette));
  writeFileSync(
    at('tests.js'),
    `require('node:fs').appendFileSync(process.env.MCP_RECORD_USED, ${JSON.stringify(`${join(kept, 'used.yaml')}\n`)})`,
  );
  const tests = shim(at('tests.cmd'), at('tests.js'));
  ended(await mcpRecord(['prune', '--', tests], { cwd: at('pruned') }), 0);
  assert.deepEqual(readdirSync(kept), ['used.yaml']);
  assert.match(ended(await mcpRecord(['prune', '--', 'no-such-tests']), 2).stderr, /PRUNE_TESTS_FAILED/);
});

step('wrap, and undo', async () => {
  const text = `{\r\n  "mcpServers": {\r\n    "con": { "command": ${JSON.stringify(serverShim)}, "args": [] }\r\n  }\r\n}\r\n`;
  writeFileSync(at('client.json'), text);
  ended(await mcpRecord(['wrap', '--local', '-o', at('wrapped'), at('client.json')]), 0);
  const { command, args } = JSON.parse(readFileSync(at('client.json'), 'utf8')).mcpServers.con;
  assert.deepEqual(await session(new StdioClientTransport({ command, args, stderr: 'ignore' })), answers);
  assert.equal(readdirSync(at('wrapped', 'con-')).length, 1);
  ended(await mcpRecord(['wrap', '--undo', at('client.json')]), 0);
  assert.equal(readFileSync(at('client.json'), 'utf8'), text);
});

step('show, diff, redact, report', async () => {
  const copy = at('copy.yaml');
  writeFileSync(copy, readFileSync(cassette, 'utf8').replaceAll('\n', '\r\n'));
  assert.match(ended(await mcpRecord(['show', copy]), 0).stdout, /tools\/call/);
  ended(await mcpRecord(['diff', cassette, copy]), 0);
  ended(await mcpRecord(['redact', '--redact-pattern', 'Zürich', cassette, '-o', at('redacted.yaml')]), 0);
  assert.doesNotMatch(readFileSync(at('redacted.yaml'), 'utf8'), /Zürich/);
  ended(await mcpRecord(['report', cassette, '-o', at('report.html')]), 0);
  assert.match(readFileSync(at('report.html'), 'utf8'), /<html/);
});

step('a header of what a command prints', async () => {
  const args = ['verify', '--http', 'http://127.0.0.1:9/mcp', '--header', 'Authorization: Bearer cmd:exit 3', cassette];
  assert.match(ended(await mcpRecord(args), 2).stderr, /ended with 3/);
});

/** A session whose recorder and server are running: their processes. */
async function running(file) {
  const [command, ...args] = [node, program, 'record', '-o', file, '--', node, fixture('ignores-the-end.js')];
  const recorder = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const [data] = await once(recorder.stdout, 'data');
  return { recorder, server: Number(String(data)) };
}

step('kill of the recorder takes the server along', async () => {
  const { recorder, server } = await running(at('killed.yaml'));
  assert.equal(isAlive(server), true);
  recorder.kill('SIGKILL');
  await once(recorder, 'close');
  await gone(server);
  assert.match(ended(await mcpRecord(['show', at('killed.yaml')]), 0).stdout, /\d+/);
});

step('kill of the client takes recorder and server along', async () => {
  const script = `
    const { spawn } = require('node:child_process');
    const args = ${JSON.stringify([program, 'record', '-o', at('orphan.yaml'), '--', node, fixture('ignores-the-end.js')])};
    const recorder = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    recorder.stdout.once('data', (data) => console.log(recorder.pid, String(data).trim()));`;
  const client = spawn(node, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [data] = await once(client.stdout, 'data');
  const pids = String(data).trim().split(' ').map(Number);
  client.kill('SIGKILL');
  for (const pid of pids) await gone(pid);
});

step('a client that ends its server on the first answer loses nothing', async () => {
  for (let n = 0; n < 3; n++) {
    const file = at(`first-${n}.yaml`);
    const recorder = spawn(node, [program, 'record', '-o', file, '--', node, fixture('answers.js')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    recorder.stdin.write('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"is":"there"}}\n');
    await once(recorder.stdout, 'data');
    recorder.kill();
    await once(recorder, 'close');
    const [, answer] = readFileSync(file, 'utf8').split('server:');
    assert.match(answer ?? '', /there/, `run ${n}`);
  }
});

step('a client that does not read keeps nobody else from being heard', async () => {
  const script = `
    require('node:fs').createWriteStream('', { fd: 1 }).write('x'.repeat(1 << 24));
    process.stdin.once('data', () => process.stderr.write(String(process.pid)));
    process.stdin.once('end', () => process.kill(process.pid));`;
  const recorder = spawn(node, [program, 'record', '-o', at('flood.yaml'), '--', node, '-e', script], {
    stdio: 'pipe',
  });
  await once(recorder.stdout, 'readable');
  recorder.stdin.write('?');
  const [pid] = await once(recorder.stderr, 'data');
  recorder.stdin.end();
  await gone(Number(String(pid)));
  recorder.kill();
});

step('an exit status beyond 255 is passed on', async () => {
  const crash = ['-e', 'process.exit(0xC0000005)'];
  const own = spawnSync(node, crash).status;
  assert.equal(own, 0xc0000005);
  ended(await mcpRecord(['record', '-o', at('crash.yaml'), '--', node, ...crash]), own);
  assert.match(readFileSync(at('crash.yaml'), 'utf8'), new RegExp(`exit: ${own}`));
});

step('words of a command line arrive as they are', async () => {
  writeFileSync(at('says.js'), 'console.log(JSON.stringify(process.argv.slice(2)))');
  const safe = [
    'a b',
    'a&b',
    '^',
    '!x!',
    'a|b>c',
    'C:\\x y\\',
    'ä€',
    '',
    wine !== undefined && wine < 10 ? 'x' : '%PATH%',
  ];
  const batch = shim(at('says.cmd'), at('says.js'));
  // A quote in a word of a batch file ends the quotes around it: see docs/windows.md.
  for (const [name, command, words] of [
    ['node', [node, at('says.js')], [...safe, 'a"b']],
    ['batch', [batch], safe],
  ]) {
    const { stdout } = ended(await mcpRecord(['record', '-o', at(`${name}.yaml`), '--', ...command, ...words]), 0);
    assert.deepEqual(JSON.parse(stdout), words, name);
  }
});

step('a program in a folder with blanks, and letters beyond ASCII', async () => {
  mkdirSync(at('a b ä'));
  writeFileSync(at('a b ä', 'says.mjs'), 'console.log("{}")');
  const { stdout } = ended(
    await mcpRecord(['record', '-o', at('a b ä', 'c é.yaml'), '--', node, at('a b ä', 'says.mjs')]),
    0,
  );
  assert.equal(stdout, '{}\n');
  assert.ok(existsSync(at('a b ä', 'c é.yaml')));
});

step('a program that cannot be started is an error with a code', async () => {
  writeFileSync(at('server.ps1'), 'Write-Output 1');
  writeFileSync(at('plain.js'), 'console.log(1)');
  const cases = [
    ['no-such-program', 127, 'COMMAND_NOT_FOUND'],
    [at('none', 'server.cmd'), 127, 'COMMAND_NOT_FOUND'],
    ['%PATH%', 127, 'COMMAND_NOT_FOUND'],
    ['a & b', 127, 'COMMAND_NOT_FOUND'],
    [at('server.ps1'), 126, 'COMMAND_NOT_EXECUTABLE'],
    [at('plain.js'), 126, 'COMMAND_NOT_EXECUTABLE'],
    [folder, 127, 'COMMAND_NOT_FOUND'],
  ];
  for (const [command, status, code] of cases) {
    const { stderr } = ended(await mcpRecord(['record', '-o', at('none.yaml'), '--', command, 'x']), status);
    assert.ok(stderr.includes(`[${code}]`), stderr);
  }
  assert.equal(existsSync(at('none.yaml')), false);
  assert.match(
    ended(await mcpRecord(['sweep', at('swept.yaml'), '--', at('server.ps1')]), 2).stderr,
    /COMMAND_NOT_EXECUTABLE/,
  );
});

const failed = [];
async function take({ name, run }) {
  const began = Date.now();
  try {
    const late = wait(300_000, undefined, { ref: false }).then(() => assert.fail('took longer than five minutes'));
    await Promise.race([run(), late]);
    say(`ok      ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    failed.push(name);
    say(`FAILED  ${name}\n${error.stack}`);
  }
}
const only = process.env.ONLY;
await take({ name: 'record through a batch file', run: recordThroughBatchFile });
// Several at once: each mostly waits for processes.
const left = steps.filter(({ name }) => !only || name.includes(only));
await Promise.all(
  [1, 2, 3].map(async () => {
    for (let next = left.shift(); next; next = left.shift()) await take(next);
  }),
);
process.chdir(root);
try {
  rmSync(folder, { recursive: true, maxRetries: 3 });
} catch (error) {
  say(`left ${folder}: ${error.message}`);
}
say(failed.length === 0 ? 'all steps passed' : `${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
