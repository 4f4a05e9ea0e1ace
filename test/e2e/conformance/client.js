#!/usr/bin/env node
/**
 * `client.js URL`: a client on `@modelcontextprotocol/client`, as the official suite drives it. It authorizes itself where it
 * must, lists what the server offers, and uses all of it. With `--one-redirect` its browser follows no redirect, and reads the code
 * from the first, as the SDK's own example clients do.
 */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { application } from './application.js';
import { argumentsFor } from './arguments-for.js';

const AUTHORIZATIONS_MAX = 2;

const url = new URL(process.argv.at(-1));
const { MCP_CONFORMANCE_PROTOCOL_VERSION: revision, MCP_CONFORMANCE_CONTEXT: given = '{}' } = process.env;
const context = JSON.parse(given);
const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
const authProvider = application(context, { followsRedirects: !process.argv.includes('--one-redirect') });

let transport;
let authorizations = 0;

/** Does `task`, again each time that the user has agreed to what it lacked. */
async function authorized(task) {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || ++authorizations > AUTHORIZATIONS_MAX) throw error;
      await transport.finishAuth(authProvider.answer);
    }
  }
}

const client = await authorized(async () => {
  transport = new StreamableHTTPClientTransport(url, { authProvider });
  const elicitation = { form: { applyDefaults: true } };
  const made = new Client(
    { name: 'conformance-client', version: '1.0.0' },
    { capabilities: { elicitation, sampling: {}, roots: {} }, versionNegotiation: { mode } },
  );
  made.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  await made.connect(transport);
  return made;
});

const { tools = [], prompts = [], resources = [] } = client.getServerCapabilities() ?? {};
if (tools) {
  const listed = await authorized(() => client.listTools());
  const calls = context.toolCalls ?? listed.tools.map((tool) => argumentsFor(tool, listed.tools));
  for (const call of calls) await authorized(() => client.callTool(call)).catch(failed);
}
if (prompts) for (const { name } of (await client.listPrompts()).prompts) await client.getPrompt({ name });
if (resources) for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
await client.close();

/** A call may fail, but for want of leave. */
function failed(error) {
  if (error instanceof UnauthorizedError) throw error;
}
