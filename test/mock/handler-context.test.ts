import { describe, expect, it } from 'vitest';
import { type HandlerContext, mockClient, mockServer, request, tool } from '../../src/adapters/mock.ts';

const PROMPT = { messages: [], maxTokens: 5 };
const TOOLS = { ...PROMPT, tools: [{ name: 'search', inputSchema: { type: 'object' } }] };
const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Oslo' } };
const PAGE = { message: 'Pay', mode: 'url', url: 'https://acme.example/pay', elicitationId: 'e1' };
const FORM = { message: 'Where?', requestedSchema: { type: 'object', properties: {} } };

/** The failures of a server whose handler asks a client with these capabilities, and how often the client was asked. */
async function asking(
  ask: (context: HandlerContext) => Promise<unknown>,
  capabilities: Record<string, unknown>,
  protocolVersion: '2025-11-25' | '2026-07-28',
) {
  const asks = tool('ask', async (_, context) => JSON.stringify(await ask(context)));
  const server = await mockServer({ over: 'http', handlers: [asks] });
  const handlers = [
    request('sampling/createMessage', () => SAMPLED),
    request('elicitation/create', () => ({ action: 'decline' })),
  ];
  const onDifference = 'report'; // of the mock client, which blames the server for what is asked on purpose
  const options = { handlers, protocolVersion, capabilities, onDifference } as const;
  const client = await mockClient({ server: { url: server.url }, ...options });
  const { isError } = await client.request('tools/call', { name: 'ask' });
  await client.finish();
  const { failures } = await server.finish();
  return { isError, failures: failures.map(({ kind, text }) => `${kind}: ${text}`) };
}

describe.each(['2025-11-25', '2026-07-28'] as const)('a handler that asks a client of %s', (revision) => {
  it.each([
    ['sampling.tools', ({ sample }: HandlerContext) => sample(TOOLS), { sampling: {} }],
    ['elicitation.url', ({ elicit }: HandlerContext) => elicit(PAGE), { elicitation: {} }],
    ['elicitation.form', ({ elicit }: HandlerContext) => elicit(FORM), { elicitation: { url: {} } }],
  ])('for %s, which the client has not declared, fails the test', async (name, ask, capabilities) => {
    const { isError, failures } = await asking(ask, capabilities, revision);
    expect(isError).toBe(true);
    expect(failures).toEqual([expect.stringContaining(`thrown: `)]);
    expect(failures[0]).toContain(`the client has not declared ${name}`);
  });

  it.each([
    ['sampling with tools', ({ sample }: HandlerContext) => sample(TOOLS), { sampling: { tools: {} } }],
    ['sampling without tools', ({ sample }: HandlerContext) => sample(PROMPT), { sampling: {} }],
    ['a page', ({ elicit }: HandlerContext) => elicit(PAGE), { elicitation: { url: {} } }],
    ['a form', ({ elicit }: HandlerContext) => elicit(FORM), { elicitation: {} }],
    ['on purpose', ({ ask }: HandlerContext) => ask('sampling/createMessage', TOOLS), { sampling: {} }],
  ])('passes: %s', async (_, ask, capabilities) => {
    expect(await asking(ask, capabilities, revision)).toEqual({ isError: undefined, failures: [] });
  });
});
