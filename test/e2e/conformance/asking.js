import { fromJsonSchema } from '@modelcontextprotocol/server';
import { says } from './content.js';

const string = { type: 'string' };
const titled = (values) => values.map(([value, title]) => ({ const: value, title }));

const withDefaults = {
  type: 'object',
  properties: {
    name: { ...string, default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const options = ['option1', 'option2', 'option3'];
const choices = titled([
  ['value1', 'First Option'],
  ['value2', 'Second Option'],
  ['value3', 'Third Option'],
]);

const withEnums = {
  type: 'object',
  properties: {
    untitledSingle: { ...string, enum: options },
    titledSingle: { ...string, oneOf: choices },
    legacyEnum: {
      ...string,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { ...string, enum: options } },
    titledMulti: { type: 'array', items: { anyOf: choices } },
  },
};

const username = {
  type: 'object',
  properties: { username: string, email: string },
  required: ['username', 'email'],
};

/** Tools that ask the client for something while they run, as revisions before 2026-07-28 do. */
export function offerAsking(server) {
  server.registerTool(
    'test_sampling',
    { description: 'Asks a model', inputSchema: object({ prompt: string }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
      const { content } = await ask(mcpReq, 'sampling/createMessage', { messages, maxTokens: 100 });
      return says(`LLM response: ${content.text}`);
    },
  );

  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: object({ message: string }) },
    ({ message }, { mcpReq }) => elicit(mcpReq, message, username),
  );

  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks the user, and proposes answers' },
    ({ mcpReq }) => elicit(mcpReq, 'Please review these', withDefaults),
  );

  server.registerTool('test_elicitation_sep1330_enums', { description: 'Has the user choose' }, ({ mcpReq }) =>
    elicit(mcpReq, 'Please choose', withEnums),
  );
}

async function elicit(mcpReq, message, requestedSchema) {
  const { action, content } = await ask(mcpReq, 'elicitation/create', { message, requestedSchema });
  return says(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
}

/** Asks on the stream of the call: the client may not have opened another yet. */
function ask(mcpReq, method, params) {
  return mcpReq.send({ method, params });
}

function object(properties) {
  return fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) });
}
