/** A server of revision 2026-07-28 that asks back, reports progress, logs, and serves resources and prompts. */
import {
  acceptedContent,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const object = (properties) => fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) });

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

  server.registerTool(
    'echo',
    { description: 'Says it again', inputSchema: object({ message: { type: 'string' } }) },
    ({ message }) => text(message),
  );

  server.registerTool(
    'weather',
    {
      description: 'Tells the weather, in words and as data',
      inputSchema: object({ city: { type: 'string' } }),
      outputSchema: object({ city: { type: 'string' }, degrees: { type: 'number' } }),
    },
    ({ city }) => ({ ...text(`3 degrees in ${city}`), structuredContent: { city, degrees: 3 } }),
  );

  server.registerTool('fails', { description: 'Is out of order' }, () => ({
    ...text('Out of order.'),
    isError: true,
  }));

  server.registerTool('waits', { description: 'Begins, and goes on until it is cancelled' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
    return text('nobody waits for this');
  });

  const confirmation = object({ check: { type: 'boolean' } });
  server.registerTool(
    'deploy',
    { description: 'Asks before it acts', inputSchema: object({ target: { type: 'string' } }) },
    ({ target }, { mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'confirm');
      if (answer !== undefined) return text(answer.check === true ? `deployed to ${target}` : 'left as it was');
      const confirm = inputRequired.elicit({
        message: `Deploy to ${target}?`,
        requestedSchema: confirmation,
      });
      return inputRequired({ inputRequests: { confirm }, requestState: `deploy:${target}` });
    },
  );

  const messages = [{ role: 'user', content: { type: 'text', text: 'Say something kind.' } }];
  server.registerTool('ask-model', { description: 'Asks for a few words' }, ({ mcpReq }) => {
    const said = inputResponse(mcpReq.inputResponses, 'words');
    if (said.kind === 'sampling') return text(said.result.content.text);
    const words = inputRequired.createMessage({ messages, maxTokens: 20 });
    return inputRequired({ inputRequests: { words } });
  });

  server.registerTool('ask-roots', { description: 'Asks where it may work' }, ({ mcpReq }) => {
    const said = inputResponse(mcpReq.inputResponses, 'places');
    if (said.kind === 'roots') return text(said.roots.map(({ uri }) => uri).join(', '));
    return inputRequired({ inputRequests: { places: inputRequired.listRoots() } });
  });

  server.registerResource('notes', 'demo://notes', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Nothing to note.' }],
  }));

  const numbers = ['7', '12', '127'];
  const page = new ResourceTemplate('demo://page/{number}', {
    list: undefined,
    complete: { number: (begun) => numbers.filter((number) => number.startsWith(begun)) },
  });
  server.registerResource('page', page, { mimeType: 'text/plain' }, (uri, { number }) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: `This is page ${number}.` }],
  }));

  server.registerPrompt('greet', { description: 'Greets' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  }));

  server.registerPrompt(
    'welcome',
    { description: 'Welcomes to a city', argsSchema: object({ city: { type: 'string' } }) },
    ({ city }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Welcome somebody to ${city}.` } }],
    }),
  );

  return server;
}
