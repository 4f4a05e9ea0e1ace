import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../support/blocks.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { readTree } from '../support/house/source.ts';
import { type FileRun, VitestProject } from './vitest-project.ts';

const tree = readTree(join(import.meta.dirname, '..', '..'));
const recipeOf = (page: string, title: string) =>
  blocksOf(page, tree.get(page)!).find(({ text }) => text.includes(title))!.text;
const expiry = recipeOf('docs/auth.md', 'a token that expires is replaced');
const userClient = recipeOf('docs/auth-user.md', 'class MyProvider');
/** Files of docs/auth.md and docs/auth-user.md that its tests import. */
const HELPERS = {
  'client.ts': recipeOf('docs/auth.md', '// client.ts'),
  'user-client.ts': userClient,
  'forget-refresh-token.ts': recipeOf('docs/auth-scopes-sdk-1.md', '// forget-refresh-token.ts'),
};
const agrees = recipeOf('docs/auth-user.md', 'a user who agrees');
const refuses = recipeOf('docs/auth-user.md', 'a user who refuses');
const refreshRefused = recipeOf('docs/auth-user.md', 'a refused refresh asks the user again');
const refreshed = recipeOf('docs/auth-user.md', 'an expired token is refreshed');
const steps = recipeOf('docs/auth-user.md', 'the client reads the metadata, and registers');
const expiryByTime = recipeOf('docs/auth.md', 'a token that expires after a minute is replaced');

/** The text, with changes of which each has to change something. */
function changed(text: string, ...changes: [from: string, to: string][]): string {
  return changes.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replace(from, to);
  }, text);
}

/** What a change of a recipe shows of it. `said` is what vitest says; of a test that passes, nothing. */
interface Row {
  page: string;
  what: string;
  text: string;
  said?: string;
}

const retry = recipeOf('docs/retry.md', 'the client tries again');
/** The test of another block of the page, in the file of the first one. Imports that both have are kept once. */
function inItsFile(title: string): string {
  const [head] = retry.split("test('the client tries again'");
  const lines = recipeOf('docs/retry.md', title).split('\n');
  return `${lines.filter((line) => !line.startsWith('import ') || !head!.includes(line)).join('\n')}\n${head}`;
}
const givesUp = inItsFile('the client gives up after three tries');
const refused = inItsFile('the client tries again after a refusal');
const waiting = recipeOf('docs/retry-waits.md', 'the client waits, and tries again');
const givenWait = recipeOf('docs/retry-waits.md', 'the client waits twice, and succeeds');
const overStatus = recipeOf('docs/retry-waits.md', 'the client waits longer after each refusal');
const failing = "tool('weather', busy, { once: true })";
const fault = "httpStatus({ on: 'tools/call', status: 429, times: 2 })";

const ROWS: readonly Row[] = [
  { page: 'a retry', what: 'passes as it is', text: retry },
  {
    page: 'a retry',
    what: 'fails where nothing is made again',
    text: changed(retry, ['tries <= 3', 'tries <= 1']),
    said: 'the weather service is busy',
  },
  {
    page: 'a retry',
    what: 'fails for a client that calls too often',
    text: changed(retry, ['if (!isError) return', 'if (!isError && tries === 3) return']),
    said: 'to have a length of 2 but got 3',
  },
  {
    page: 'a JSON-RPC error',
    what: 'passes',
    text: `${changed(retry, [failing, failing.replace('busy', 'overQuota')])}
${recipeOf('docs/retry.md', 'const overQuota')}`,
  },
  {
    page: 'no answer',
    what: 'passes for a client with a time limit',
    text: `${changed(
      retry,
      [failing, failing.replace('busy', 'silent')],
      ["{ city: 'Oslo' } }", "{ city: 'Oslo' } }, undefined, { timeout: 300 }"],
    )}
${recipeOf('docs/retry.md', 'const silent')}`,
  },
  {
    page: 'two failures',
    what: 'passes',
    text: changed(
      retry,
      [
        `mock.use(${failing});`,
        recipeOf('docs/retry.md', 'mock.use(failing, failing)').split('\n').slice(3).join('\n'),
      ],
      ['(2)', '(3)'],
    ),
  },
  { page: 'a refusal', what: 'passes as it is', text: refused },
  {
    page: 'a refusal',
    what: 'fails for a client that gives up',
    text: changed(refused, ['tries <= 3', 'tries <= 2']),
    said: 'the weather service is busy',
  },
  {
    page: 'a refusal',
    what: 'fails where the fault never happens',
    text: changed(refused, ['times: 2', 'nth: 9'], ['(3)', '(1)']),
    said: 'never fired',
  },
  {
    page: 'a broken connection',
    what: 'passes',
    text: changed(refused, ['{ httpStatus }', '{ cut }'], [fault, "cut({ on: 'tools/call', nth: 1 })"], ['(3)', '(2)']),
  },
  { page: 'an expired token', what: 'passes as it is', text: expiry },
  {
    page: 'an expired token',
    what: 'fails for a client that does not get another one',
    text: changed(
      expiry,
      ['connect(url)', "connect(url, { requestInit: { headers: { Authorization: 'Bearer key' } } })"],
      ['auth: true', "auth: { tokens: ['key'] }"],
    ),
    said: 'invalid_token',
  },
  { page: 'a refused refresh', what: 'passes as it is', text: refreshRefused },
  {
    page: 'a refused refresh',
    what: 'fails if the refresh is accepted',
    text: changed(refreshRefused, [', oauthError()]', ']']),
    said: 'instead of rejecting',
  },
  {
    page: 'a refused refresh',
    what: 'fails for a client that does not finish the login',
    text: changed(refreshRefused, ['await finishLogin();', 'void finishLogin;']),
    said: 'Unauthorized',
  },
  {
    page: 'a refused refresh',
    what: 'fails for a client that cannot forget its tokens',
    text: changed(
      refreshRefused,
      ["import { connectAsUser } from './user-client.js';", userClient],
      ['invalidateCredentials(', 'unused('],
    ),
    said: "to throw error including 'Unauthorized' but got 'Injected by mcp-record'",
  },
  { page: 'a revoked key', what: 'passes as it is', text: recipeOf('docs/auth.md', 'a revoked API key is reported') },
  { page: 'a token that expires by time', what: 'passes as it is', text: expiryByTime },
  {
    page: 'a token that expires by time',
    what: 'fails where no time passes',
    text: changed(expiryByTime, ['61_000', '0']),
    said: 'to have a length of 2 but got 1',
  },
  { page: 'a user', what: 'passes as it is', text: agrees },
  {
    page: 'a user',
    what: 'fails for a client that is not authorized',
    text: changed(
      agrees,
      ["import { connectAsUser } from './user-client.js';", userClient],
      ['await transport.finishAuth(code);', ''],
    ),
    said: 'Unauthorized',
  },
  { page: 'a refreshed token', what: 'passes as it is', text: refreshed },
  {
    page: 'a refreshed token',
    what: 'fails for a client that logs in again',
    text: changed(
      refreshed,
      ["import { connectAsUser } from './user-client.js';", userClient],
      [
        'void (this.#tokens = tokens)',
        'void (this.#tokens = { ...tokens, refresh_token: undefined } as unknown as OAuthTokens)',
      ],
      ['{ client, authProvider }', '{ client, authProvider, finishLogin }'],
      [
        "await client.callTool({ name: 'weather' });\n  clock.advance(61_000); // the second",
        "await client.callTool({ name: 'weather' }).catch(finishLogin);\n  clock.advance(61_000); // the second",
      ],
      [
        "const { content } = await client.callTool({ name: 'weather' });",
        "await client.callTool({ name: 'weather' }).catch(finishLogin);\n  const { content } = await client.callTool({ name: 'weather' });",
      ],
    ),
    said: 'expected 3 to be 1',
  },
  {
    page: 'a refreshed token',
    what: 'fails for a client whose refresh is refused',
    text: changed(
      refreshed,
      ["import { connectAsUser } from './user-client.js';", userClient],
      ['void (this.#tokens = tokens)', "void (this.#tokens = { ...tokens, refresh_token: 'old' })"],
      ['{ client, authProvider }', '{ client, authProvider, finishLogin }'],
      [
        "await client.callTool({ name: 'weather' });\n  clock.advance(61_000); // the second",
        "await client.callTool({ name: 'weather' }).catch(finishLogin);\n  clock.advance(61_000); // the second",
      ],
      [
        "const { content } = await client.callTool({ name: 'weather' });",
        "await client.callTool({ name: 'weather' }).catch(finishLogin);\n  const { content } = await client.callTool({ name: 'weather' });",
      ],
      ['.logins).toBe(1)', '.logins).toBe(3)'],
    ),
    said: 'There is no such refresh token',
  },
  {
    page: 'a refreshed token',
    what: 'fails for a client that keeps its first refresh token, and says why',
    text: changed(
      refreshed,
      ["import { connectAsUser } from './user-client.js';", userClient],
      [
        'void (this.#tokens = tokens)',
        'void (this.#tokens = { ...tokens, refresh_token: this.#tokens?.refresh_token ?? tokens.refresh_token })',
      ],
    ),
    said: 'The refresh token was used before',
  },
  { page: 'the steps of a login', what: 'passes as it is', text: steps },
  {
    page: 'the steps of a login',
    what: 'fails for a client that is registered already',
    text: changed(
      steps,
      ["import { connectAsUser } from './user-client.js';", userClient],
      ['clientInformation = () => this.#client', "clientInformation = () => this.#client ?? { client_id: 'known' }"],
    ),
    said: 'no request oauth/register matched it',
  },
  {
    page: 'the steps of a login',
    what: 'fails for a client that does not get the metadata',
    text: changed(
      steps,
      ['latency }', 'httpStatus }'],
      ['latency({ on, delay: 1 })', 'httpStatus({ on, status: 404 })'],
    ),
    said: 'HTTP 404',
  },
  {
    page: 'the steps of a login',
    what: 'without a fault and an issuer path, passes for a client that does not get the metadata',
    text: changed(
      steps,
      ['latency }', 'httpStatus }'],
      ['latency({ on, delay: 1 })', 'httpStatus({ on, status: 404 })'],
      [", 'oauth/register'", ''],
      ["auth: { issuerPath: '/tenant' }", 'auth: true'],
    ),
  },
  { page: 'a user who refuses', what: 'passes as it is', text: refuses },
  {
    page: 'a refused registration',
    what: 'passes as it is',
    text: recipeOf('docs/auth-user.md', 'a registration that is refused'),
  },
  { page: 'no refresh token', what: 'passes as it is', text: recipeOf('docs/auth-user.md', 'the user is asked again') },
  {
    page: 'no refresh token',
    what: 'fails where the client gets one',
    text: changed(recipeOf('docs/auth-user.md', 'the user is asked again'), ["'none'", "'keep'"]),
    said: 'resolved',
  },
  {
    page: 'another scope',
    what: 'passes for a client of version 2',
    text: recipeOf('docs/auth-scopes.md', 'asks for the scope, and calls again'),
  },
  {
    page: 'another scope',
    what: 'fails where the first token has the scope',
    text: changed(recipeOf('docs/auth-scopes.md', 'asks for the scope, and calls again'), [
      "scopes: ['files:write']",
      "scopes: ['mcp']",
    ]),
    said: 'length',
  },
  {
    page: 'another scope',
    what: 'passes for a client that forgets its refresh token',
    text: recipeOf('docs/auth-scopes-sdk-1.md', 'a client that forgets its refresh token'),
  },
  {
    page: 'another scope',
    what: 'fails for a client that keeps its refresh token',
    text: changed(recipeOf('docs/auth-scopes-sdk-1.md', 'a client that forgets its refresh token'), [
      'await forgetRefreshToken(authProvider)',
      'void forgetRefreshToken',
    ]),
    said: "to throw error including 'Unauthorized' but got 'Streamable HTTP error",
  },
  { page: 'giving up', what: 'passes as it is', text: givesUp },
  ...[1, 2, 4].map((tries) => ({
    page: 'giving up',
    what: `fails for a client with another number of tries, ${tries}`,
    text: changed(givesUp, ['tries <= 3', `tries <= ${tries}`]),
    said: `to have a length of 3 but got ${tries}`,
  })),
  {
    page: 'giving up',
    what: 'fails for a misspelt handler',
    text: changed(givesUp, ["tool('weather', busy)", "tool('wether', busy)"]),
    said: 'wether',
  },
  {
    page: 'giving up',
    what: 'fails for a client that hides the error',
    text: changed(givesUp, ["throw new Error('the weather service is busy');", '']),
    said: 'resolved',
  },
  { page: 'a wait that is given', what: 'passes as it is', text: givenWait },
  {
    page: 'a wait that is given',
    what: 'fails for waits that do not get longer',
    text: changed(givenWait, ['ms *= 2', 'ms *= 1']),
    said: 'deeply equal',
  },
  {
    page: 'a wait that is given',
    what: 'fails for a client that does not wait',
    text: changed(givenWait, ['await wait(ms);', '']),
    said: 'deeply equal',
  },
  {
    page: 'a wait that is given',
    what: 'fails for a client that gives up',
    text: changed(givenWait, ['ms > 4_000', 'ms > 1_000']),
    said: 'Service Unavailable',
  },
  { page: 'longer waits', what: 'passes as it is', text: overStatus },
  {
    page: 'longer waits',
    what: 'fails for a client that does not wait',
    text: changed(overStatus, ['(resolve, wait)', '(resolve, 0)']),
    said: 'greater than',
  },
  {
    page: 'longer waits',
    what: 'fails for a second wait that is shorter',
    // A wait takes longer than was asked for on a machine that is busy, so this one asks for none.
    text: changed(overStatus, ['(resolve, wait)', '(resolve, wait === 100 ? 100 : 0)']),
    said: 'greater than 195',
  },
  {
    page: 'longer waits',
    what: 'fails for a client that gives up',
    text: changed(overStatus, ['wait > 200', 'wait > 100']),
    said: 'Too Many Requests',
  },
  {
    page: 'longer waits',
    what: 'fails for a client that gives up without an error',
    text: changed(overStatus, ['if (wait > 200) throw error', 'if (wait > 100) return { content: [] }']),
    said: 'only 2 came',
  },
];

/** Rows of a test with a limit of 3 s, which one of them waits out. */
const WAITING: readonly Row[] = [
  { page: 'waiting', what: 'passes as it is', text: waiting },
  {
    page: 'waiting',
    what: 'fails for a client that does not wait',
    text: changed(waiting, ['(resolve, wait)', '(resolve, 0)']),
    said: 'deeply equal',
  },
  {
    page: 'waiting',
    what: 'fails for a client that gives up, with its error',
    text: changed(waiting, ['wait > 4_000', 'wait > 1_000']),
    said: 'the weather service is busy',
  },
  {
    page: 'waiting',
    what: 'names the miss where the time limit ends it',
    text: changed(
      waiting,
      ["callTool({ name: 'weather'", "callTool({ name: 'wether'"],
      ['wait > 4_000', 'wait > 99_000'],
    ),
    said: 'No handler answers tools/call "wether": did you mean "weather"?',
  },
];

describe.each([
  ['of docs/auth*.md, docs/retry.md and docs/retry-waits.md', ROWS, 60_000],
  ['of docs/retry-waits.md', WAITING, 3_000],
])('the test %s', (_, rows, testTimeout) => {
  let ended: Readonly<Record<string, FileRun>>;
  beforeAll(async () => {
    const project = new VitestProject(temporaryFolder(), '');
    writeFileSync(
      join(project.folder, 'vitest.config.js'),
      `export default { test: { testTimeout: ${testTimeout} } };`,
    );
    for (const [name, text] of Object.entries(HELPERS)) writeFileSync(join(project.folder, name), text);
    const files = rows.map(({ text }, index) => [`row-${index}.test.ts`, text] as const);
    ended = await project.runEach('none', Object.fromEntries(files));
  });

  it.each(rows.map((row, index) => ({ ...row, index })))('for $page $what', ({ index, said }) => {
    const wanted = said === undefined ? [1, 0, ''] : [0, 1, expect.stringContaining(said)];
    const { passed, failed, errors } = ended[`row-${index}.test.ts`]!;
    expect([passed, failed, errors.join('\n')]).toEqual(wanted);
  });
});
