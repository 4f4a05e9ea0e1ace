/**
 * `ai-sdk-authorized.js URL`: a program on `@ai-sdk/mcp`, installed where it runs, whose user logs in with the program that
 * `BROWSER` names. For each line on stdin it calls the tool of that name, and writes the outcome as a line of JSON. If the SDK
 * has sent the user to the login page, it finishes the login and calls again.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const { auth, createMCPClient, UnauthorizedError } = await import('@ai-sdk/mcp');

const url = process.argv[2];
/** What the browser was sent back with. */
let answer;
const callback = createServer(({ url: path }, response) => {
  answer = new URL(path, redirectUrl).searchParams;
  response.end('You may close this window.');
}).listen(0, '127.0.0.1');
await once(callback, 'listening');
const redirectUrl = `http://127.0.0.1:${callback.address().port}/callback`;

/** What the SDK has saved, by what it is. */
const kept = {};
const keep = (what) => (value) => {
  kept[what] = value;
};
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: 'ai-sdk', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
  clientInformation: () => kept.client,
  isClientInformationDynamicallyRegistered: () => true,
  saveClientInformation: keep('client'),
  tokens: () => kept.tokens,
  saveTokens: keep('tokens'),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: keep('verifier'),
  authorizationServerInformation: () => kept.issuer,
  saveAuthorizationServerInformation: keep('issuer'),
  state: () => crypto.randomUUID(),
  saveState: keep('state'),
  storedState: () => kept.state,
  invalidateCredentials(scope) {
    for (const one of scope === 'all' ? Object.keys(kept) : [scope]) delete kept[one];
  },
  async redirectToAuthorization(link) {
    answer = undefined;
    await promisify(execFile)(process.env.BROWSER, [link.href]);
    if (answer === undefined) throw new Error('The browser was not sent back');
  },
};

/** Does `task`, and once more after a login if it needs one. */
async function authorized(task) {
  try {
    return await task();
  } catch (error) {
    // In the middle of a session, it is the cause of the error of a call.
    if (![error, error.cause].some((one) => one instanceof UnauthorizedError)) throw error;
    const { code, state, iss, error_description: refusal } = Object.fromEntries(answer);
    if (code === undefined) throw new Error(refusal);
    await auth(authProvider, {
      serverUrl: url,
      authorizationCode: code,
      callbackState: state,
      callbackIssuer: iss,
    });
    return task();
  }
}

let client;
async function call(name) {
  client ??= await authorized(() => createMCPClient({ transport: { type: 'http', url, authProvider } }));
  const tools = await authorized(() => client.tools());
  return authorized(() => tools[name].execute({}, { toolCallId: name, messages: [] }));
}
for await (const name of createInterface(process.stdin)) {
  const outcome = await call(name).catch(({ message: error }) => ({ error }));
  console.log(JSON.stringify(outcome));
}
await client?.close();
process.exit();
