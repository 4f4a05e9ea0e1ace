import { jsonToYaml } from '../../cassette/write/json-to-yaml.ts';
import { isObject } from '../../protocol/message.ts';
import { isToolResult } from '../handler-results.ts';
import { exampleValue } from './example-value.ts';
import { ITEMS, MOCK_FORMAT, SERVER } from './mock-file-fields.ts';

type Members = Record<string, unknown>;

/** Description and lists of a live server. */
export interface ListedServer {
  serverInfo: Members;
  instructions?: unknown;
  tools: readonly Members[];
  prompts: readonly Members[];
  resources: readonly Members[];
  resourceTemplates: readonly Members[];
}

/** Text of a mock file, and the names of tools without an example. */
export interface ExampleMock {
  text: string;
  withoutExample: string[];
}

/** Returns the text of a mock file for a server, with one example answer for each tool, prompt and resource. */
export function exampleMock(server: ListedServer): ExampleMock {
  const withoutExample: string[] = [];
  const toolAnswer = ({ name, outputSchema }: Members): unknown => {
    if (!isObject(outputSchema)) return `Example answer of ${String(name)}.`;
    const value = exampleValue(outputSchema);
    if (value === undefined) withoutExample.push(String(name));
    return isObject(value) && isToolResult(value) ? { structuredContent: value } : (value ?? {});
  };
  const item = (list: keyof typeof ITEMS, answer: (of: Members) => unknown) => (of: Members) => ({
    ...pick(of, Object.keys(ITEMS[list])),
    answers: [{ returns: escaped(answer(of)) }],
  });
  const mock: Members = {
    server: pick({ ...server.serverInfo, instructions: server.instructions }, Object.keys(SERVER)),
    tools: server.tools.map(item('tools', toolAnswer)),
    resources: server.resources.map(item('resources', ({ uri }) => `Example text of ${String(uri)}.`)),
    prompts: server.prompts.map(item('prompts', ({ name }) => `Example text of ${String(name)}.`)),
    requests: templates(server.resourceTemplates),
  };
  const parts = Object.entries(mock).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const lines = parts.map(([key, value]) => `${key}:${jsonToYaml(JSON.stringify(value), 0)}`);
  return { text: [...HEAD, ...lines, ''].join('\n'), withoutExample };
}

const HEAD = [
  '# yaml-language-server: $schema=node_modules/mcp-record/schema/mock-1.json',
  '# Made by "mcp-record new" from the lists of a live server. The answers are examples: change them.',
  `format: ${MOCK_FORMAT}`,
];

function templates(resourceTemplates: readonly Members[]): Members[] {
  if (resourceTemplates.length === 0) return [];
  return [{ method: 'resources/templates/list', answers: [{ returns: escaped({ resourceTemplates }) }] }];
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
