import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../support/blocks.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { readTree } from '../support/house/source.ts';
import { VitestProject } from './vitest-project.ts';

const tree = readTree(join(import.meta.dirname, '..', '..'));
const recipeOf = (page: string, title: string) =>
  blocksOf(page, tree.get(page)!).find(({ text }) => text.includes(title))!.text;
const recipe = recipeOf('docs/retry.md', 'a call that fails is made again');
const expiry = recipeOf('docs/auth.md', 'a token that expires is replaced');

/** The recipe, with changes of which each has to change something. */
function changed(...changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, recipe);
}

const overHttp: [string, string][] = [
  ['const { transport } = await', 'const { url } = await'],
  ['{ faults: [errorReply(', "{ over: 'http', faults: [cut("],
  ['import { errorReply }', 'import { cut }'],
  ['client.connect(transport)', 'client.connect(new StreamableHTTPClientTransport(new URL(url)))'],
  [
    'import { expect }',
    "import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';\nimport { expect }",
  ],
];

it.each([
  ['passes as it is', recipe, 0, '1 passed'],
  ['passes over HTTP', changed(...overHttp), 0, '1 passed'],
  ['fails where nothing is made again', changed(['.catch(call)', '']), 1, 'Injected by mcp-record'],
  ['fails where the fault never happens', changed(['nth: 1', 'nth: 3']), 1, 'to have a length of 2 but got 1'],
])('the test of a retry in docs/faults.md %s', async (_, text, status, said) => {
  const project = new VitestProject(temporaryFolder(), '');
  writeFileSync(join(project.folder, 'retry.test.ts'), text);
  expect(await project.run('none', 'retry')).toMatchObject({ status, said: expect.stringContaining(said) });
});

it('the test of an expired token in docs/auth.md passes as it is', async () => {
  const project = new VitestProject(temporaryFolder(), '');
  writeFileSync(join(project.folder, 'expiry.test.ts'), expiry);
  expect(await project.run('none', 'expiry')).toMatchObject({ status: 0, said: expect.stringContaining('1 passed') });
});

const waiting = recipeOf('docs/retry.md', 'the client waits, and tries again');

it.each([
  ['passes as it is', waiting, 0, '1 passed'],
  ['fails for a client that does not wait', waiting.replace('(resolve, wait)', '(resolve, 0)'), 1, 'deeply equal'],
  [
    'fails for a client that gives up with an error, and names no other',
    waiting.replace(
      'if (!result.isError || wait > 4_000)',
      "if (wait > 1_000) throw new Error('gave up');\n    if (!result.isError)",
    ),
    1,
    'deeply equal',
  ],
  [
    'names the miss where the time limit ends it',
    waiting.replace("callTool({ name: 'weather'", "callTool({ name: 'wether'").replace('wait > 4_000', 'wait > 99_000'),
    1,
    'No handler answers tools/call "wether": did you mean "weather"?',
  ],
])('the test of a client that waits in docs/retry.md %s', async (_, text, status, said) => {
  const project = new VitestProject(temporaryFolder(), '');
  writeFileSync(join(project.folder, 'vitest.config.js'), 'export default { test: { testTimeout: 3_000 } };');
  writeFileSync(join(project.folder, 'waits.test.ts'), text);
  expect(await project.run('none', 'waits')).toMatchObject({ status, said: expect.stringContaining(said) });
});

const givesUp = recipeOf('docs/retry.md', 'the client gives up after three retries');
const ownError = recipeOf('docs/retry.md', 'the client gives up with an error of its own');
const overStatus = recipeOf('docs/retry.md', 'the client waits longer after each refusal');

it.each<[name: string, title: string, text: string, status: number, said: string]>([
  ['gives-up', 'passes as it is', givesUp, 0, '1 passed'],
  ...[0, 2, 4].map((retries): [string, string, string, number, string] => [
    'gives-up',
    `fails for a client with ${retries} retries`,
    givesUp.replace('retries = 3', `retries = ${retries}`),
    1,
    `to have a length of 4 but got ${retries + 1}`,
  ]),
  [
    'gives-up',
    'fails for a misspelt handler',
    givesUp.replace("tool('weather', busy)", "tool('wether', busy)"),
    1,
    'wether',
  ],
  ['own-error', 'passes as it is', ownError, 0, '1 passed'],
  [
    'own-error',
    'fails for a client that throws the error of the SDK',
    ownError.replace("new Error('the weather service is busy', { cause })", 'cause'),
    1,
    'the weather service is busy',
  ],
  [
    'own-error',
    'fails for fewer tries',
    ownError.replace('tries === 3', 'tries === 2'),
    1,
    'to have a length of 3 but got 2',
  ],
  ['status', 'passes as it is', overStatus, 0, '1 passed'],
  [
    'status',
    'fails for a client that does not wait',
    overStatus.replace('(resolve, wait)', '(resolve, 0)'),
    1,
    'greater than',
  ],
  [
    'status',
    'fails for a second wait that is shorter',
    // A wait takes longer than was asked for on a machine that is busy, so this one asks for none.
    overStatus.replace('(resolve, wait)', '(resolve, wait === 100 ? 100 : 0)'),
    1,
    'greater than 195',
  ],
  ['status', 'fails for a client that gives up', overStatus.replace('wait <= 200', 'wait <= 100'), 1, 'failed'],
])('the test "%s" of docs/retry.md %s', async (_, __, text, status, said) => {
  const project = new VitestProject(temporaryFolder(), '');
  writeFileSync(join(project.folder, 'retries.test.ts'), text);
  expect(await project.run('none', 'retries')).toMatchObject({ status, said: expect.stringContaining(said) });
});
