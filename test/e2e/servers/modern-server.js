/** A server of revision 2026-07-28 that asks back, reports progress, logs, and serves a resource and a prompt. */
import { acceptedContent, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const object = (properties) =>
  fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) });

/** One of them, with nothing connected yet. */
export function modernServer() {
  const server = new McpServer(
    { name: 'modern-server', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} } },
  );

  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }),
    },
    ({ a, b }) => text(String(a + b)),
  );

  server.registerTool(
    'count',
    { description: 'Counts, and tells how far it got', inputSchema: object({ to: { type: 'integer' } }) },
    async ({ to }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= to; progress++) {
        await mcpReq.log('info', `counted ${progress}`);
        if (progressToken === undefined) continue;
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: to },
        });
      }
      return text(`counted to ${to}`);
    },
  );

  const confirmation = object({ check: { type: 'boolean' } });
  server.registerTool(
    'deploy',
    { description: 'Asks before it acts', inputSchema: object({ target: { type: 'string' } }) },
    ({ target }, { mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'confirm');
      if (answer !== undefined)
        return text(answer.check === true ? `deployed to ${target}` : 'left as it was');
      const confirm = inputRequired.elicit({
        message: `Deploy to ${target}?`,
        requestedSchema: confirmation,
      });
      return inputRequired({ inputRequests: { confirm }, requestState: `deploy:${target}` });
    },
  );

  server.registerResource('notes', 'demo://notes', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Nothing to note.' }],
  }));

  server.registerPrompt('greet', { description: 'Greets' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  }));

  return server;
}
