import type { Field, Fields } from '../../kernel/validate-fields.ts';
import { isObject } from '../../protocol/message.ts';

export const MOCK_FORMAT = 'mcp-record-mock/1';

const DELAY_MS_MAX = 86_400_000;

function text(doc: string): Field {
  return { doc, wanted: 'text', read: (value) => (typeof value === 'string' ? value : undefined) };
}

function mapping(doc: string): Field {
  return { doc, wanted: 'a mapping', read: (value) => (isObject(value) ? value : undefined) };
}

function objectSchema(doc: string): Field {
  const isSchema = (value: unknown) => isObject(value) && value.type === 'object';
  return { doc, wanted: 'a JSON Schema with type: object', read: (value) => (isSchema(value) ? value : undefined) };
}

function list(doc: string): Field {
  return { doc, wanted: 'a list', read: (value) => (Array.isArray(value) ? value : undefined) };
}

function anything(doc: string): Field {
  return { doc, wanted: 'any value but null', read: (value) => value ?? undefined };
}

function wholeNumber(doc: string, least: number, most = Number.MAX_SAFE_INTEGER): Field {
  const isAllowed = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return { doc, wanted: `a whole number from ${least}`, read: (value) => (isAllowed(value) ? value : undefined) };
}

function required(field: Field): Field {
  return { ...field, required: true };
}

const title = text('the name that people see');
const icons = list('its icons: src, mimeType, sizes');
const _meta = mapping('what extensions say of it');
const definition = mapping('further members of its definition in the list, as they are');
const answers = required(list('its answers, of which the first that fits a request is given'));

/** Keys of a mock file. */
export const MOCK_FILE: Fields = {
  format: required({
    doc: 'the format of this file',
    wanted: MOCK_FORMAT,
    read: (value) => (value === MOCK_FORMAT ? value : undefined),
  }),
  server: mapping('what the server says of itself'),
  tools: list('the tools of the server'),
  resources: list('the resources of the server'),
  prompts: list('the prompts of the server'),
  requests: list('requests of other methods'),
};

/** Keys of `server`. */
export const SERVER: Fields = {
  name: text('the name of the server; mock, if left out'),
  version: text('its version; 0.0.0, if left out'),
  title,
  instructions: text('how to use the server, for the model'),
  capabilities: mapping('its capabilities; those that its tools, resources and prompts need, if left out'),
};

/** Keys of an item, by its list. */
export const ITEMS: Readonly<Record<'tools' | 'resources' | 'prompts' | 'requests', Fields>> = {
  tools: {
    name: required(text('the name of the tool')),
    title,
    description: text('what the tool does'),
    inputSchema: objectSchema('the JSON Schema of its arguments; any object, if left out'),
    outputSchema: objectSchema('the JSON Schema of its structured content'),
    annotations: mapping('hints for clients'),
    execution: mapping('how it may be executed, such as taskSupport'),
    icons,
    _meta,
    definition,
    answers,
  },
  resources: {
    uri: required(text('the URI of the resource')),
    name: text('its name; the URI, if left out'),
    title,
    description: text('what the resource holds'),
    mimeType: text('the media type of its text'),
    size: wholeNumber('its size in bytes', 0),
    annotations: mapping('hints for clients'),
    icons,
    _meta,
    definition,
    answers,
  },
  prompts: {
    name: required(text('the name of the prompt')),
    title,
    description: text('what the prompt is for'),
    arguments: list('its arguments: name, description, required'),
    icons,
    _meta,
    definition,
    answers,
  },
  requests: {
    method: required({
      doc: 'the method, such as completion/complete',
      wanted: 'a method of a request',
      read: (value) => (typeof value === 'string' && !value.startsWith('notifications/') ? value : undefined),
    }),
    answers,
  },
};

/** Keys of an answer. */
export const ANSWER: Fields = {
  when: mapping('the arguments that it answers (of requests of other methods: the params); all, if left out'),
  returns: anything('the answer: text, a list of content blocks, structured content, or a whole result'),
  error: mapping('the JSON-RPC error that answers: code, message, data'),
  delay: wholeNumber('milliseconds until the answer', 0, DELAY_MS_MAX),
  times: wholeNumber('how often it answers; always, if left out', 1),
  progress: list('progress notifications before the answer: progress, total, message'),
  notify: list('notifications before the answer: method, params'),
};
