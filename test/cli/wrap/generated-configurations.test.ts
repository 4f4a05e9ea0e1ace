import { parse, visit } from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { Lexer, parse as parseYaml } from 'yaml';
import { CLIENT_NAMES } from '../../../src/cli/wrap/client-names.ts';
import { unwrap, wrap } from '../../../src/cli/wrap/wrap.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { CLIENT_PARTS } from './generated/client-parts.ts';
import { GENERATED, type GeneratedConfiguration, partsOf } from './generated/generated-configurations.ts';
import { isMembers, type Members, type Value } from './generated/server-parts.ts';

const PROGRAM = ['npx', '-y', 'mcp-record'];
const put = (text: string, file: string) => wrap(text, { file, names: [], folder: '/cassettes', program: PROGRAM });

/** What a client reads. A parser of JSON without comments reads what it could read before. */
function dataIn(text: string, file: string): Members {
  const data = text.replace(/^\ufeff/, '');
  if (file.endsWith('.toml')) return getStaticTOMLValue(parseTOML(data)) as Members;
  if (file.endsWith('.yaml')) return parseYaml(text);
  const errors: never[] = [];
  const value = parse(data, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

function commentsIn(text: string, file: string): string[] {
  if (file.endsWith('.toml')) return parseTOML(text.replace(/^\ufeff/, '')).comments.map(({ value }) => value);
  if (file.endsWith('.yaml')) return [...new Lexer().lex(text)].filter((token) => token.startsWith('#'));
  const comments: string[] = [];
  visit(text, { onComment: (start, length) => comments.push(text.slice(start, start + length)) });
  return comments;
}

const isStrictJson = (text: string) => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};

const ORIGINAL = 'MCP_RECORD_WRAPPED';
/** Members of a server at a URL that its recorder has no use for. */
const OF_URL = [
  'type',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'http_headers',
  'env_http_headers',
  'oauth',
  'auth',
  'bearer_token_env_var',
];

const list = (value: Value | undefined) => (value ?? []) as readonly string[];
const members = (value: Value | undefined) => (value ?? {}) as Readonly<Record<string, string>>;

/** Returns what a server is to mean with its recorder, in the order of its members. */
function recorded(server: Members, folder: string): Members {
  const recorder = [...PROGRAM, 'record', '-o', folder];
  const { command, args } = server;
  if (Array.isArray(command)) return { ...server, command: [...recorder, '--', ...list(command)] };
  if (typeof command === 'string') {
    const words = [...recorder.slice(1), ...(args === undefined ? [] : ['--']), command, ...list(args)];
    const all = Object.entries(server).flatMap(([name, value]): [string, Value][] => {
      if (name === 'args') return [['args', words]];
      if (name !== 'command') return [[name, value]];
      return [['command', 'npx'], ...(args === undefined ? [['args', words] as [string, Value]] : [])];
    });
    return Object.fromEntries(all);
  }
  const headers = Object.entries(members(server.headers ?? server.http_headers));
  const variables = Object.entries(members(server.env_http_headers));
  const bearer = server.bearer_token_env_var as string | undefined;
  const words = [
    ...[...recorder, '--stdio', '--http', String(server.url ?? server.serverUrl ?? server.httpUrl)],
    ...headers.flatMap(([name], index) => ['--header', `${name}: env:MCP_RECORD_HEADER_${index + 1}`]),
    ...variables.flatMap(([name, variable]) => ['--header', `${name}: env:${variable}`]),
    ...(bearer ? ['--header', `Authorization: Bearer env:${bearer}`] : []),
  ];
  const inherited = [...variables.map(([, variable]) => variable), ...(bearer ? [bearer] : [])];
  const env = {
    ...Object.fromEntries(headers.map(([, value], index) => [`MCP_RECORD_HEADER_${index + 1}`, value])),
    [ORIGINAL]: expect.any(String),
  };
  const isOpenCode = server.type === 'remote';
  return {
    ...(server.type !== undefined && { type: isOpenCode ? 'local' : 'stdio' }),
    ...(isOpenCode ? { command: words } : { command: words[0]!, args: words.slice(1) }),
    ...Object.fromEntries(Object.entries(server).filter(([name]) => !OF_URL.includes(name))),
    ...(inherited.length > 0 && { env_vars: inherited }),
    [isOpenCode ? 'environment' : 'env']: env,
  };
}

/** Returns the text of a server at a URL that its recorder keeps. */
const originalOf = ({ env, environment }: Members) => members(env ?? environment)[ORIGINAL] ?? '';

/** Returns the objects at which these servers are in a configuration. */
function serversAmong(value: Value, names: readonly string[]): Members {
  if (!isMembers(value)) return {};
  if (names.length > 0 && names.every((name) => Object.hasOwn(value, name))) return value;
  return Object.assign({}, ...Object.values(value).map((one) => serversAmong(one, names)));
}

const CASES = GENERATED.map((one) => [`${one.index} of ${one.client}`, one] as const);

function wrappedOnce({ file, text, servers, left }: GeneratedConfiguration) {
  const names = Object.keys(servers);
  const wrapped = put(text, file);
  return { names, wrapped, changed: names.filter((name) => !left.includes(name)), data: dataIn(wrapped.text, file) };
}

describe.each(CASES)('generated configuration %s', (_, one) => {
  const { file, text, servers, around, outside, left } = one;

  itOnPosix('paths', 'has each server behind a recorder, and all else as it was', () => {
    const { names, wrapped, changed, data } = wrappedOnce(one);
    const found = serversAmong(data, names);
    expect(dataIn(text, file)).toEqual(around(servers));
    expect(wrapped.servers.filter(({ isChanged }) => isChanged).map(({ name }) => name)).toEqual(changed);
    const folders = changed.map((name) => /"(\/cassettes\/[^"]*\/)"/.exec(JSON.stringify(found[name]))![1]!);
    expect(new Set(folders).size).toBe(changed.length);
    const expected = Object.fromEntries(
      names.map((name) => [
        name,
        left.includes(name) ? servers[name]! : recorded(servers[name] as Members, folders[changed.indexOf(name)]!),
      ]),
    );
    expect(data).toEqual(around(expected));
    if (!file.endsWith('.toml'))
      for (const name of names) expect(Object.keys(found[name]!)).toEqual(Object.keys(expected[name]!));
    if (isStrictJson(text)) expect(isStrictJson(wrapped.text)).toBe(true);
  });

  it('keeps the text around the servers, comments and line ends', () => {
    const { names, wrapped, changed, data } = wrappedOnce(one);
    const pattern = outside.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('[^]*');
    expect(wrapped.text).toMatch(new RegExp(`^${pattern}$`));
    const before = commentsIn(text, file);
    expect(before.length).toBeGreaterThanOrEqual([...text.matchAll(/ \(\d+\)/g)].length);
    const after = commentsIn(wrapped.text, file);
    expect(after).toEqual(before.filter((comment) => after.includes(comment)));
    const found = serversAmong(data, names);
    const kept = changed.map((name) => originalOf(found[name] as Members)).join('\n');
    expect(before.filter((comment) => !after.includes(comment) && !kept.includes(comment))).toEqual([]);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    expect(wrapped.text.replaceAll(eol, '')).not.toMatch(/[\r\n]/);
  });

  it('is wrapped once only, and is what it was, to the byte, when the recorder is out again', () => {
    const { wrapped, changed } = wrappedOnce(one);
    expect(put(wrapped.text, file).text).toBe(wrapped.text);
    const undone = changed.length === 0 ? wrapped : unwrap(wrapped.text, { file, names: changed });
    expect(undone.text).toBe(text);
  });
});

it.each(Object.keys(CLIENT_PARTS))('there are 30 different configurations of %s, with all parts', (client) => {
  const own = GENERATED.filter((one) => one.client === client);
  expect(new Set(own.map(({ text }) => text)).size).toBeGreaterThanOrEqual(30);
  const all = own.flatMap(({ parts }) => parts);
  expect(partsOf(client).filter((part) => !all.includes(part))).toEqual([]);
});

it('some servers in YAML take their variables from an anchor', () => {
  expect(GENERATED.filter(({ text }) => text.includes(': *env')).length).toBeGreaterThan(0);
});

it('each client has generated configurations', () => {
  expect(Object.keys(CLIENT_PARTS)).toEqual(expect.arrayContaining([...CLIENT_NAMES]));
});
