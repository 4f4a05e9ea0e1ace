/** A server on `@modelcontextprotocol/sdk` 1.x that does a little of everything, always the same. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const NOTES = 'demo://notes';
const PAGE_LENGTH = 5;

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const invalid = (words) => new McpError(ErrorCode.InvalidParams, words);

/** What each tool does with its arguments, and what it says on the stream of its call. */
const tools = {
  add: ({ a, b }) => text(String(a + b)),
  echo: ({ message }) => text(message),
  weather: ({ city }) => ({ ...text(`3 degrees in ${city}`), structuredContent: { city, degrees: 3 } }),
  fails: () => ({ ...text('Out of order.'), isError: true }),
  async count({ to }, { _meta, sendNotification }) {
    await reports({ to, progressToken: _meta?.progressToken, sendNotification });
    return text(`counted to ${to}`);
  },
  async logs({ lines }, { sendNotification }) {
    for (const data of lines)
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    return text(`logged ${lines.length} lines`);
  },
  async touch(_, { sendNotification }) {
    await sendNotification({ method: 'notifications/resources/updated', params: { uri: NOTES } });
    return text('touched');
  },
  async waits(_, { _meta, signal, sendNotification }) {
    await reports({ to: 1, progressToken: _meta?.progressToken, sendNotification });
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return text('nobody waits for this');
  },
  async 'asks-a-model'(_, { sendRequest }) {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say something kind.' } }];
    const asked = { method: 'sampling/createMessage', params: { messages, maxTokens: 20 } };
    return text((await sendRequest(asked, CreateMessageResultSchema)).content.text);
  },
  async 'asks-a-person'(_, { sendRequest }) {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = { mode: 'form', message: 'Who are you?', requestedSchema };
    const { action, content } = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
    return text(`${action}: ${content?.name}`);
  },
  async 'asks-for-roots'(_, { sendRequest }) {
    const { roots } = await sendRequest({ method: 'roots/list' }, ListRootsResultSchema);
    return text(roots.map(({ uri }) => uri).join(', '));
  },
  'come-back'(_, { closeSSEStream }) {
    // Closes the stream before it has answered: the client is to come back for the answer.
    closeSSEStream?.();
    return text('welcome back');
  },
};

async function reports({ to, progressToken, sendNotification }) {
  for (let progress = 1; progress <= to && progressToken !== undefined; progress++)
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, total: to },
    });
}

const names = [...Object.keys(tools), 'learn'];
const inputSchema = { type: 'object' };

/** One of them, with nothing connected yet. */
export function sdk1Server() {
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    logging: {},
  };
  const server = new Server({ name: 'sdk-1-server', version: '1.0.0' }, { capabilities });
  const known = [...names];

  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0);
    if (!(start < known.length)) throw invalid('There is no such page');
    const end = start + PAGE_LENGTH;
    const page = known.slice(start, end).map((name) => ({ name, inputSchema }));
    return { tools: page, ...(end < known.length && { nextCursor: String(end) }) };
  });

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: given = {} } = params;
    if (name === 'learn') {
      known.push(given.name);
      await extra.sendNotification({ method: 'notifications/tools/list_changed' });
      return text(`learnt ${given.name}`);
    }
    if (!Object.hasOwn(tools, name)) throw invalid(`There is no tool ${name}`);
    return tools[name](given, extra);
  });

  const resources = [{ uri: NOTES, name: 'notes', mimeType: 'text/plain' }];
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  const resourceTemplates = [{ uriTemplate: 'demo://page/{number}', name: 'page' }];
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const number = /^demo:\/\/page\/(\d+)$/.exec(uri)?.[1];
    const words = uri === NOTES ? 'Nothing to note.' : number && `This is page ${number}.`;
    if (words === undefined) throw new McpError(-32002, 'Resource not found', { uri });
    return { contents: [{ uri, mimeType: 'text/plain', text: words }] };
  });
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));

  const prompts = [{ name: 'greet', arguments: [{ name: 'city' }] }];
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given } }) => {
    if (name !== 'greet') throw invalid(`There is no prompt ${name}`);
    const words = given?.city === undefined ? 'Say hello.' : `Say hello to ${given.city}.`;
    return { messages: [{ role: 'user', content: { type: 'text', text: words } }] };
  });
  const cities = ['Paris', 'Parma', 'Perth'];
  server.setRequestHandler(CompleteRequestSchema, ({ params: { argument } }) => ({
    completion: { values: cities.filter((city) => city.startsWith(argument.value)), hasMore: false },
  }));
  return server;
}
