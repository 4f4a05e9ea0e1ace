import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = temporaryFolder();
const blocksIn = (page: string) => blocksOf(page, readFileSync(join(root, page), 'utf8'));
const example = blocksIn('docs/share-a-bug-ids.md').find(
  ({ language, text }) => language === 'yaml' && text.startsWith('format:'),
)!.text;
const shop = ['node', join(root, 'test', 'fixtures', 'documents', 'shop.js')];

async function status(text: string, env: Record<string, string> = {}) {
  const file = join(folder, 'shop.yaml');
  writeFileSync(file, text);
  return (await run({ ...mcpRecord('verify', file, '--', ...shop), env })).status;
}

it('tells a server with the bug from one without it, although its ids are new in each session', async () => {
  expect(await status(example)).toBe(0);
  expect(await status(example, { FIXED: '1' })).toBe(1);
});

it('would not tell them apart without the rule beside the answer', async () => {
  const without = example.replace(/^ {2}match:.*\n/m, '');
  expect(without).not.toBe(example);
  expect([await status(without), await status(without, { FIXED: '1' })]).toEqual([1, 1]);
});

describe('a bug of a client', () => {
  const blocks = blocksIn('docs/share-a-client-bug.md');
  const [scenario = ''] = blocks.filter(({ text }) => text.includes('play: server')).map(({ text }) => text);
  const shown = blocks
    .filter(({ text }) => text.includes('$ npx mcp-record run scenario.yaml'))
    .map(({ text }) => text);
  const overHttp = scenario.replace('play: server', 'play: server\ntransport: http');

  beforeAll(async () => {
    const { command, args } = recorder(join(folder, 'bug.yaml'), fixture('documents/server.js'));
    const recording = fixture('documents/city-client.js', command, ...args);
    expect((await run({ ...recording, env: { FIXED: '1' } })).status).toBe(0);
    const cut = mcpRecord('cut', join(folder, 'bug.yaml'), '--tool', 'weather', '-o', join(folder, 'short.yaml'));
    expect((await run(cut)).status).toBe(0);
    writeFileSync(join(folder, 'scenario.yaml'), scenario);
    writeFileSync(join(folder, 'http.yaml'), overHttp);
  });

  async function ran(env: Record<string, string>, at = '{server}', file = 'scenario.yaml') {
    const { command, args } = fixture('documents/city-client.js', at);
    const ended = await run({ ...mcpRecord('run', file, '--', command, ...args), cwd: folder, env });
    return { text: ended.stdout.toString(), status: ended.status };
  }
  /** The marked lines: times and stack traces differ. */
  const marked = (text: string) => text.split('\n').filter((line) => /^[✗✓]|TypeError/.test(line));

  it('is red with the bug, and shows what the client says', async () => {
    const { text, status } = await ran({});
    expect([marked(text), status]).toEqual([marked(shown[0]!), 1]);
  });

  it('is green without it', async () => {
    const { text, status } = await ran({ FIXED: '1' });
    expect([marked(text), status]).toEqual([marked(shown[1]!), 0]);
  });

  it('is told apart over HTTP, too, with the one line and the word of the page', async () => {
    const page = readFileSync(join(root, 'docs/share-a-client-bug.md'), 'utf8');
    for (const shownThere of ['`transport: http`', 'run scenario.yaml -- node client.js {url}'])
      expect(page).toContain(shownThere);
    const [broken, fixed] = [await ran({}, '{url}', 'http.yaml'), await ran({ FIXED: '1' }, '{url}', 'http.yaml')];
    // The line of the transport moves the others.
    const withoutLines = (text = '') => marked(text).map((line) => line.replace(/ {2}line \d+| \(\S+:\d+\)/, ''));
    expect([withoutLines(broken.text), broken.status]).toEqual([withoutLines(shown[0]), 1]);
    expect(fixed.status).toBe(0);
  });

  it('is shown for an answer with isError by the expectation of the page, which the failure names', async () => {
    const page = readFileSync(join(root, 'docs/share-a-client-bug.md'), 'utf8');
    const [, fails = ''] = /If the recorded answer is an error, write `(ends: \w+)`/.exec(page) ?? [];
    const refused = readFileSync(join(folder, 'short.yaml'), 'utf8').replace(
      /^( +)content:\n.*\n.*sunny"?$/m,
      '$&\n$1isError: true',
    );
    writeFileSync(join(folder, 'refused.yaml'), refused);
    const about = scenario.replace('short.yaml', 'refused.yaml');
    writeFileSync(join(folder, 'wrong.yaml'), about);
    writeFileSync(join(folder, 'right.yaml'), about.replace(/ends: \w+/, fails));
    const wrong = await ran({ FIXED: '1' }, '{server}', 'wrong.yaml');
    expect([wrong.status, wrong.text]).toEqual([1, expect.stringMatching(/answers it that way .*"ends: fails"/)]);
    expect((await ran({ FIXED: '1' }, '{server}', 'right.yaml')).status).toBe(0);
    expect((await ran({}, '{server}', 'right.yaml')).status).toBe(1);
  });

  it('is shown for a client that has to retry, with a second answer and the expectations of the page', async () => {
    const [retried = ''] = blocksIn('docs/share-a-client-bug-errors.md')
      .filter(({ text }) => text.includes('nth: 2'))
      .map(({ text }) => text);
    const short = readFileSync(join(folder, 'short.yaml'), 'utf8');
    const [, answered = ''] = /^(- client:\n {4}method: tools\/call[\s\S]*?)^- close/m.exec(short) ?? [];
    const refused = answered.replace(/^( +)content:\n.*\n.*$/m, '$&\n$1isError: true');
    const again = answered.replaceAll('id: 2', 'id: 3');
    writeFileSync(join(folder, 'once.yaml'), short.replace(answered, refused));
    writeFileSync(join(folder, 'twice.yaml'), short.replace(answered, refused + again));
    for (const name of ['once', 'twice'])
      writeFileSync(join(folder, `of-${name}.yaml`), retried.replace('short.yaml', `${name}.yaml`));
    const retries = { FIXED: '1', CALLS: '2' };
    const lacking = await ran(retries, '{server}', 'of-once.yaml');
    expect([lacking.status, lacking.text]).toEqual([1, expect.stringMatching(/already used.*nth: 1, nth: 2/s)]);
    expect(lacking.text).not.toMatch(/✗ every request.*\n.*Record the session again/);
    expect((await ran(retries, '{server}', 'of-twice.yaml')).status).toBe(0);
    const broken = await ran({ FIXED: '1' }, '{server}', 'of-twice.yaml');
    expect([broken.status, broken.text]).toEqual([1, expect.stringContaining('it was called once')]);
  });

  it('is red for a client that never makes the call', async () => {
    expect(await ran({ IDLE: '1' })).toEqual({ text: expect.stringContaining('this call was never made'), status: 1 });
  });
});
