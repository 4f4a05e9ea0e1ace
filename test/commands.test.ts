import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksOf, isOnWalkedPage } from './support/blocks.ts';
import { temporaryFolder } from './support/cassette.ts';
import { readTree } from './support/house/source.ts';
import { projectIn } from './support/project.ts';

const root = join(import.meta.dirname, '..');
const documents = [...readTree(root)].filter(([path]) => path.endsWith('.md'));
const blocks = documents.flatMap(([path, text]) => blocksOf(path, text));

/** Each command line of ours that a document shows, by where it stands. */
const commands = blocks
  .filter((block) => block.language === 'console' && !isOnWalkedPage(block))
  .flatMap(({ place, text }) => [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => [place, line!] as const))
  .filter(([, line]) => /^(?:node client\.js )?(?:npx )?mcp-record /.test(line))
  // It needs the host that it names: test/e2e/http/forward-proxy.test.ts has hosts of its own.
  .filter(([, line]) => !line.includes(' record --proxy '));

const EVERYTHING = '@modelcontextprotocol/server-everything';
const { folder, env: own } = projectIn(temporaryFolder(), ['@modelcontextprotocol/sdk', 'zod', EVERYTHING], {
  'mcp-server-everything': `${EVERYTHING}/dist/index.js`,
});
const env = { ...own, HOME: folder, MY_TOKEN: 'q7Wd-zzRt-91xK', CI: '' };

/** The YAML of a document that begins with this. */
const yaml = (path: string, start: string) =>
  blocks.find(({ place, text }) => place.startsWith(path) && text.includes(start))!.text;

let server: ChildProcess;
let url: string;
/** Lines of the recorded call and of its answer: how many are before them depends on how long the processes took. */
let callLine: number;
let answerLine: number;

/** The files that documents take for granted: a server and its client, a session of theirs, and what they configure. */
beforeAll(async () => {
  for (const name of ['server.js', 'client.js', 'shop.js'])
    copyFileSync(join(root, 'test/fixtures/documents', name), join(folder, name));
  server = spawn(process.execPath, ['server.js', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  url = await new Promise((resolve) => server.stdout!.once('data', (line) => resolve(`${line}`.trim())));
  await ran('node client.js mcp-record record -o cassette.yaml -- node server.js');
  const cassette = readFileSync(join(folder, 'cassette.yaml'), 'utf8');
  const call = cassette.indexOf('tools/call');
  const lineAt = (index: number) => cassette.slice(0, index + 1).split('\n').length;
  callLine = lineAt(cassette.lastIndexOf('\n- ', call));
  answerLine = lineAt(cassette.indexOf('\n- ', call));
  writeFileSync(join(folder, 'weather.yaml'), cassette);
  writeFileSync(join(folder, 'cut.yaml'), yaml('docs/scenarios.md', 'cassette:'));
  writeFileSync(join(folder, 'over-http.yaml'), yaml('docs/scenarios.md', '# over-http.yaml'));
  writeFileSync(join(folder, 'slice.yaml'), yaml('docs/scenarios.md', 'play: client'));
  writeFileSync(join(folder, 'trip.yaml'), yaml('docs/replay-stateless.md', '# trip.yaml'));
  writeFileSync(join(folder, 'overlap.yaml'), yaml('docs/replay-order.md', 'format: mcp-record/1'));
  writeFileSync(join(folder, 'weather.mock.yaml'), yaml('docs/mock-file.md', 'format: mcp-record-mock'));
  writeFileSync(join(folder, 'redaction.yaml'), yaml('docs/share-a-bug-secrets.md', 'redact:'));
  writeFileSync(join(folder, 'shop.yaml'), yaml('docs/share-a-bug-ids.md', 'format: mcp-record/1'));
  writeFileSync(join(folder, 'faults.yaml'), yaml('docs/faults.md', 'seed:'));
  await ran('mcp-record convert cassette.yaml session.har');
  for (const name of ['.cursor', '.config/fish/completions', '.local/share/bash-completion/completions'])
    mkdirSync(join(folder, name), { recursive: true });
  const servers = { mcpServers: { weather: { command: 'node', args: ['server.js'] } } };
  writeFileSync(join(folder, '.cursor/mcp.json'), JSON.stringify(servers));
});
afterAll(() => void server.kill());

/** Runs a line in a shell to its end; where it listens, it is told to end once it does. */
function ran(line: string): Promise<{ status: number | null; output: string }> {
  const shell = spawn('bash', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const hear = (text: Buffer) => {
    output += text;
    if (`${text}`.includes('listening on')) shell.kill('SIGTERM');
  };
  shell.stdout.on('data', hear);
  shell.stderr.on('data', hear);
  return new Promise((resolve) => shell.once('close', (status) => resolve({ status, output })));
}

/** What starts a server over stdio is started by the client. */
const STARTS_SERVER = /^(?:npx )?mcp-record (?:record|fork|replay|proxy) (?!.*--(?:http|lists) )/;

/** Sweeps take as long as all other commands together: a few of their runs say whether the line is right. */
function partOf(whole: string): string {
  const line = whole.replace(/ --pairs \d{2,}/, ' --pairs 6');
  if (/ shrink /.test(line)) return line.replace(' shrink ', ' shrink --budget 6 ');
  if (/ sweep .*--faults (?!all )/.test(line) && !/--(?:server|pairs)/.test(line))
    return line.replace(' sweep ', ' sweep --shard 1/4 ');
  if (/ sweep /.test(line) && !/--(?:shard|point|faults (?!all )|inputs|pairs)/.test(line))
    return line.replace(' sweep ', ' sweep --shard 1/32 ');
  return line.replace(' --shard 2/4 ', ' --shard 2/32 ');
}

/** Where a client, or what is run, meets what goes wrong on purpose. */
const FAILING = [/replay --fault '(?:cut|error-reply):/, /sweep (?!--server|.*--pairs)/];

it.each(commands)('%s  %s', async (_, line) => {
  const written = / convert \S+ (\w\S*)/.exec(line)?.[1];
  if (written) rmSync(join(folder, written), { force: true });
  const live = line
    .replaceAll(/https?:\/\/(?:example\.com|127\.0\.0\.1:3000)\/mcp/g, url)
    .replace('--tool weather --lines 56', `--tool weather --lines ${callLine}`)
    .replace('cassette.yaml:65 ', `cassette.yaml:${answerLine} `);
  const { status, output } = await ran(STARTS_SERVER.test(line) ? `node client.js ${live}` : partOf(live));
  // The output is the message of the failure too: reports without a diff say why.
  expect(status, output).toBe(FAILING.some((kind) => kind.test(line)) ? 1 : 0);
  expect(output).not.toMatch(/^mcp-record: .* \[[A-Z_]+\]$/m);
});
