import { jsonToYaml } from '../../cassette/write/json-to-yaml.ts';
import { exampleValue } from '../../contract/example-value.ts';
import { isObject } from '../../protocol/message.ts';
import { compileJsonSchema } from '../../protocol/schema/json-schema.ts';
import { printable } from '../../text-report/printable-text.ts';
import { isToolResult } from '../handler-value-to-result.ts';
import { ITEMS, MOCK_FORMAT, SERVER } from './mock-file-keys.ts';

type Members = Record<string, unknown>;

/** Description and lists of a live server. */
export interface ListedServer {
  serverInfo: Members;
  instructions?: unknown;
  capabilities?: Members;
  tools: readonly Members[];
  prompts: readonly Members[];
  resources: readonly Members[];
  resourceTemplates: readonly Members[];
}

/** Mock file, with its differences from the server. */
export interface ExampleMock {
  text: string;
  /** Names of tools for which no example was found. */
  withoutExample: string[];
  /** Features of the server that the mock lacks, as sentences. */
  shortcomings: string[];
}

/** Returns a mock file of a server, with one example answer for each tool, prompt and resource. */
export function exampleMock(server: ListedServer): ExampleMock {
  const withoutExample: string[] = [];
  const toolAnswer = ({ name, outputSchema }: Members): Members => {
    if (!isObject(outputSchema)) return returned(`Example answer of ${String(name)}.`);
    const value = exampleValue(outputSchema);
    if (isObject(value) && fits(value, outputSchema))
      return returned(isToolResult(value) ? { structuredContent: value } : value);
    withoutExample.push(String(name));
    return { error: { code: INTERNAL_ERROR, message: `No example fits the output schema of ${String(name)}.` } };
  };
  const item = (list: keyof typeof ITEMS, answer: (of: Members) => Members) => (of: Members) => {
    const known = Object.keys(ITEMS[list]).filter((key) => key !== 'definition');
    const further = Object.fromEntries(Object.entries(of).filter(([key]) => !known.includes(key)));
    const definition = Object.keys(further).length > 0 && { definition: further };
    return { ...pick(of, known), ...definition, answers: [answer(of)] };
  };
  const capabilities = heldCapabilities(server.capabilities ?? {});
  const mock: Members = {
    server: pick({ ...server.serverInfo, instructions: server.instructions, capabilities }, Object.keys(SERVER)),
    tools: server.tools.map(item('tools', toolAnswer)),
    resources: server.resources.map(item('resources', ({ uri }) => returned(`Example text of ${String(uri)}.`))),
    prompts: server.prompts.map(item('prompts', ({ name }) => returned(`Example text of ${String(name)}.`))),
    requests: [...templates(server.resourceTemplates), ...otherRequests(capabilities)],
  };
  const parts = Object.entries(mock).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const lines = parts.map(([key, value]) => `${key}:${jsonToYaml(JSON.stringify(value), 0)}`);
  const shortcomings = shortcomingsOf(server, capabilities);
  const comments = shortcomings.map((one) => `# ${one}`);
  return {
    text: [...HEAD, ...comments, `format: ${MOCK_FORMAT}`, ...lines, ''].join('\n'),
    withoutExample,
    shortcomings,
  };
}

const HEAD = [
  '# yaml-language-server: $schema=node_modules/mcp-record/schema/mock-1.json',
  '# Made by "mcp-record new" from the lists of a live server. The answers are examples: change them.',
];
const INTERNAL_ERROR = -32603;

function returned(value: unknown): Members {
  return { returns: escaped(value) };
}

function fits(value: unknown, schema: Members): boolean {
  try {
    return compileJsonSchema(schema)(value).length === 0;
  } catch {
    return false;
  }
}

/** Capabilities that a mock file can declare, with their supported members. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  tools: ['listChanged'],
  prompts: ['listChanged'],
  resources: ['listChanged', 'subscribe'],
  logging: [],
  completions: [],
};

function heldCapabilities(capabilities: Members): Record<string, Members> {
  const held = Object.entries(HELD).filter(([name]) => isObject(capabilities[name]));
  return Object.fromEntries(held.map(([name, members]) => [name, pick(capabilities[name] as Members, members)]));
}

function shortcomingsOf(
  { capabilities = {}, resourceTemplates, tools }: ListedServer,
  held: Record<string, Members>,
): string[] {
  const asTasks = tools.filter(({ execution }) => isObject(execution) && execution.taskSupport === 'required');
  const others = Object.keys(capabilities).filter((name) => held[name] === undefined);
  const about: [applies: boolean, sentence: string][] = [
    [others.length > 0, `The server can also do what the mock does not: ${others.join(', ')}.`],
    [asTasks.length > 0, `The mock has no tasks, as which alone clients call ${names(asTasks)}.`],
    [
      resourceTemplates.length > 0,
      'Resources of templates are listed, and not read: write an answer of resources/read.',
    ],
    [held.completions !== undefined, 'The mock completes nothing: write answers of completion/complete.'],
    [held.resources?.subscribe === true, 'The mock takes subscriptions, and says of no resource that it has changed.'],
  ];
  // Names are the server's: a line break among them would end the comment that they stand in.
  return about.flatMap(([applies, sentence]) => (applies ? [printable(sentence)] : []));
}

function names(items: readonly Members[]): string {
  return items.map(({ name }) => String(name)).join(', ');
}

/** Returns handlers for requests that a declared capability allows. */
function otherRequests({ completions, resources }: Record<string, Members>): Members[] {
  const subscribing = resources?.subscribe ? ['resources/subscribe', 'resources/unsubscribe'] : [];
  return [
    ...(completions ? [{ method: 'completion/complete', answers: [returned({ completion: { values: [] } })] }] : []),
    ...subscribing.map((method) => ({ method, answers: [returned({})] })),
  ];
}

function templates(resourceTemplates: readonly Members[]): Members[] {
  if (resourceTemplates.length === 0) return [];
  return [{ method: 'resources/templates/list', answers: [returned({ resourceTemplates })] }];
}

function pick(members: Members, keys: readonly string[]): Members {
  return Object.fromEntries(keys.flatMap((key) => (members[key] === undefined ? [] : [[key, members[key]]])));
}

/** Returns a value with `{{` escaped in every string, so that none is read as a template. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
  if (Array.isArray(value)) return value.map(escaped);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, escaped(one)])) : value;
}
