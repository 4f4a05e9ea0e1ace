import { isStream } from '../../../protocol/method-table.ts';
import type { Item, View } from '../../data/report-data-types.ts';
import { messageIn, objectOf } from '../parse-message.ts';
import { blockYaml } from './block-yaml.ts';

/** Indentation of a message's content below its event key. */
const COLUMN = 4;

/**
 * Returns events in cassette syntax, to paste below `events:`. Writes a comment in place of an event without a JSON
 * message, or with a truncated one.
 */
export function cassetteYaml(items: readonly Item[]): string {
  const events = items.map(({ from, content, stream, carried, at, what, line }, place) => {
    if (content?.language !== 'json') return `# line ${line}: ${what}`;
    const yaml = blockYaml(content.text, COLUMN)?.join('\n');
    const before = items[place - 1]?.at ?? at;
    // JSON values are valid YAML values.
    const keys = Object.entries((carried && JSON.parse(carried)) ?? {}).map(
      ([key, value]) => `\n  ${key}: ${JSON.stringify(value)}`,
    );
    const after = at > before ? `\n  after: ${Math.round((at - before) * 1_000) / 1_000}` : '';
    return `- ${from}:${yaml === undefined ? ` ${content.text}` : `\n${yaml}`}${stream === undefined ? '' : `\n  stream: ${stream}`}${keys.join('')}${after}`;
  });
  return `${events.join('\n')}\n`;
}

/** Methods of the client of the official SDK that take the params of a request. */
const SDK_METHODS: Readonly<Record<string, string>> = {
  'tools/call': 'callTool',
  'tools/list': 'listTools',
  'resources/list': 'listResources',
  'resources/templates/list': 'listResourceTemplates',
  'resources/read': 'readResource',
  'resources/subscribe': 'subscribeResource',
  'resources/unsubscribe': 'unsubscribeResource',
  'prompts/list': 'listPrompts',
  'prompts/get': 'getPrompt',
  'completion/complete': 'complete',
  ping: 'ping',
};

/** The call as a line for a client of the official SDK. Undefined: its client has no such method. */
export function sdkCall(request: Item): string | undefined {
  const method = SDK_METHODS[request.method ?? ''];
  const message = messageIn(request.content);
  if (method === undefined || message === undefined) return undefined;
  const { _meta, ...params } = objectOf(message.params) ?? {};
  const argument = Object.keys(params).length === 0 ? '' : JSON.stringify(params, undefined, 2);
  return visibleJson(`await client.${method}(${argument})`);
}

/** The request as a command of curl to the server at `url`. Undefined: the page has only its beginning. */
export function curlCommand(request: Item, url: string, revision: string | undefined): string | undefined {
  if (request.content?.language !== 'json') return undefined;
  const headers = [
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    ...(revision === undefined ? [] : [`mcp-protocol-version: ${revision}`]),
  ];
  const words = [
    ...headers.flatMap((header) => ['-H', quoted(header)]),
    '--data-binary',
    quoted(visibleJson(request.content.text)),
  ];
  return `curl ${words.join(' ')} -- ${quoted(url)}`;
}

/**
 * Returns the first line at which a call of the client and all others have their answers: there, a live client can go
 * on. Undefined: there is none.
 */
export function forkLine(request: Item, { items }: Pick<View, 'items'>): number | undefined {
  const first = request.answer;
  if (request.method === undefined || isStream(request.method) || first === undefined) return undefined;
  const calls = items.flatMap(({ kind, from, method, answer, cancel }, place) => {
    if (kind !== 'request' || from !== 'client' || answer === undefined || isStream(method ?? '')) return [];
    return [{ place, end: Math.min(answer, cancel ?? answer) }];
  });
  const isQuiet = (index: number) => calls.every(({ place, end }) => place > index || end <= index);
  // With several sessions, a later line may be in another one.
  const isOneSession = items.filter(({ kind, method }) => kind === 'request' && method === 'initialize').length < 2;
  return items.find((_, index) => (isOneSession ? index >= first : index === first) && isQuiet(index))?.line;
}

/**
 * Returns the command that brings a server to the state after a call of the client, and goes on with a live client.
 * Undefined: there is no line for it.
 */
export function forkCommand(request: Item, view: Pick<View, 'title' | 'url' | 'items'>): string | undefined {
  const line = forkLine(request, view);
  if (line === undefined) return undefined;
  const { title, url } = view;
  const server = url === undefined ? '-- YOUR SERVER' : `--http ${quoted(url)}`;
  return `npx mcp-record fork -o new.yaml ${quoted(`${title}:${line}`)} ${server}`;
}

/** Escapes invisible characters in JSON or in a JavaScript literal. Such characters occur in strings only. */
function visibleJson(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\x7f-\x9f\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu, (hidden) =>
    hidden.split('').map(escaped).join(''),
  );
}

/** Quotes a text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns a Vitest test that makes the call and expects the recorded result, or a rejection if the response was an
 * error. It connects to the server at `url`, or to a command that a comment asks the reader to replace. Undefined: the
 * SDK has no method for the request, or the page holds no complete JSON response.
 */
export function vitestTest(request: Item, answer: Item | undefined, url?: string): string | undefined {
  const call = sdkCall(request);
  const said = messageIn(answer?.content);
  if (call === undefined || said === undefined) return undefined;
  const expected =
    said.result === undefined
      ? `await expect(${call.slice('await '.length)}).rejects.toThrow();`
      : `expect(${call}).toEqual(${visibleJson(JSON.stringify(said.result, undefined, 2))});`;
  const server =
    url === undefined
      ? ['  // TODO: the command that starts your server', "  const server = { command: 'node', args: ['server.js'] };"]
      : [`  const server = { url: ${visibleJson(JSON.stringify(url))} };`];
  const lines = [
    "import { Client } from '@modelcontextprotocol/sdk/client/index.js';",
    "import { test } from 'mcp-record/vitest';",
    "import { expect } from 'vitest';",
    '',
    `test(${visibleJson(JSON.stringify(request.what))}, async ({ mcp }) => {`,
    "  const client = new Client({ name: 'test', version: '1.0.0' });",
    ...server,
    '  await client.connect(await mcp.connect(server));',
    // No string of JSON goes over several lines.
    `  ${expected.replaceAll('\n', '\n  ')}`,
    '});',
  ];
  return `${lines.join('\n')}\n`;
}
