import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { CLIENT_NAMES } from '../../../src/cli/wrap/client-names.ts';
import { unwrap, wrap } from '../../../src/cli/wrap/wrap.ts';
import { JSON_CONFIGURATIONS } from './configurations/json-configurations.ts';
import { TOML_CONFIGURATIONS } from './configurations/toml-configurations.ts';
import { YAML_CONFIGURATIONS } from './configurations/yaml-configurations.ts';

const FILES: readonly { client: string; file: string; texts: readonly string[] }[] = [
  ...Object.entries(JSON_CONFIGURATIONS).map(([client, texts]) => ({ client, file: 'mcp.json', texts })),
  { client: 'codex', file: 'config.toml', texts: TOML_CONFIGURATIONS },
  { client: 'YAML', file: 'config.yaml', texts: YAML_CONFIGURATIONS },
];
const CASES = FILES.flatMap(({ client, file, texts }) => texts.map((text, index) => ({ client, file, text, index })));

const put = (text: string, file: string) =>
  wrap(text, { file, names: [], folder: '/cassettes', program: ['npx', '-y', 'mcp-record'] });
/** Where the sessions of a server are recorded. */
const folderOf = (name: string) => `${join('/cassettes', name)}/`;
const take = (text: string, file: string) => unwrap(text, { file, names: [] });

/** What a client reads: an error for text that is not of the format. */
function dataIn(text: string, file: string): Record<string, never> {
  if (file.endsWith('.toml')) return getStaticTOMLValue(parseTOML(text)) as Record<string, never>;
  if (file.endsWith('.yaml')) return parseYaml(text);
  const errors: never[] = [];
  const data = parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return data;
}

it('there are three of each client', () => {
  for (const client of CLIENT_NAMES) {
    expect(FILES.find((one) => one.client === client)?.texts.length, client).toBeGreaterThanOrEqual(3);
  }
});

it('every server is wrapped but one that an extension of Zed starts', () => {
  const left = CASES.flatMap(({ text, file }) => put(text, file).servers.filter(({ isChanged }) => !isChanged));
  expect(left.map(({ name }) => name)).toEqual(['extension']);
});

it('tables of a wrapped server in TOML are kept, but for those of its headers', () => {
  const { mcp_servers: servers } = dataIn(put(TOML_CONFIGURATIONS[2]!, 'config.toml').text, 'config.toml') as never as {
    mcp_servers: Record<string, Record<string, unknown>>;
  };
  expect(servers.remote).toMatchObject({
    args: expect.arrayContaining(['X-Token: env:MY_TOKEN']),
    env_vars: ['MY_TOKEN'],
    tool_timeout_sec: 45,
    tools: { delete: { approval_mode: 'prompt' } },
  });
  expect(servers.remote).not.toHaveProperty('env_http_headers');
});

describe.each(CASES)('configuration $index of $client', ({ file, text }) => {
  it('is what it was, to the byte, when the recorder is out again', () => {
    const wrapped = put(text, file);
    expect(wrapped.servers.some(({ isChanged }) => isChanged)).toBe(true);
    dataIn(wrapped.text, file);
    expect(take(wrapped.text, file).text).toBe(text);
  });

  it('is wrapped once only', () => {
    const { text: wrapped } = put(text, file);
    const again = put(wrapped, file);
    expect(again.text).toBe(wrapped);
    expect(again.servers.filter(({ isChanged }) => isChanged)).toEqual([]);
  });

  it('keeps its comments, and all that is not of a server', () => {
    const { text: wrapped } = put(text, file);
    for (const [comment] of text.matchAll(/(?<=^|\s)(?:#|\/\/) .*$/gm))
      expect(wrapped).toContain(comment.slice(3).trim());
  });
});

describe('a server of Codex', () => {
  const { mcp_servers: servers } = dataIn(put(TOML_CONFIGURATIONS[0]!, 'config.toml').text, 'config.toml') as never as {
    mcp_servers: Record<string, Record<string, unknown>>;
  };

  it('is the recorder with the server’s own words after it', () => {
    expect(servers.context7).toEqual({
      command: 'npx',
      args: ['-y', 'mcp-record', 'record', '-o', folderOf('context7'), '--', 'npx', '-y', '@upstash/context7-mcp'],
      startup_timeout_sec: 20,
      env: { MY_VAR: 'value' },
    });
  });

  it('at a URL takes its token from the variable that Codex passes on', () => {
    const { env, ...figma } = servers.figma!;
    expect(figma).toEqual({
      command: 'npx',
      args: [
        ...[
          '-y',
          'mcp-record',
          'record',
          '-o',
          folderOf('figma'),
          '--stdio',
          '--http',
          'https://mcp.figma.example/mcp',
        ],
        ...['--header', 'X-Figma-Region: env:MCP_RECORD_HEADER_1'],
        ...['--header', 'Authorization: Bearer env:FIGMA_OAUTH_TOKEN'],
      ],
      enabled_tools: ['one', 'two'],
      env_vars: ['FIGMA_OAUTH_TOKEN'],
    });
    expect(env).toMatchObject({ MCP_RECORD_HEADER_1: 'us-east-1' });
  });
});

it('a server of OpenCode is a list of words, and its variables are its environment', () => {
  const { mcp } = dataIn(put(JSON_CONFIGURATIONS.opencode![0]!, 'opencode.json').text, 'opencode.json') as never as {
    mcp: Record<string, Record<string, unknown>>;
  };
  expect(mcp.filesystem!.command).toEqual([
    ...['npx', '-y', 'mcp-record', 'record', '-o', folderOf('filesystem'), '--'],
    ...['npx', '-y', '@modelcontextprotocol/server-filesystem', '/data'],
  ]);
  expect(mcp.api).toMatchObject({
    type: 'local',
    command: expect.arrayContaining(['--http', 'https://example.com/mcp']),
    environment: { MCP_RECORD_HEADER_1: 'Bearer {env:TOKEN}' },
    enabled: false,
  });
  expect(mcp.api).not.toHaveProperty('headers');
});

describe('what is left as it is', () => {
  it.each([
    ['config.toml', '[mcp_servers]\na.command = "a"\n', 'is written with dotted keys'],
    [
      'config.toml',
      '[mcp_servers.a]\nurl = "https://a.example"\n[b]\n[mcp_servers.a.http_headers]\nX = "y"\n',
      'has tables that stand apart in the file',
    ],
    ['config.yaml', 'mcpServers:\n  a:\n    command: /bin/a[1]\n', 'cannot stand in a list as it is spelled'],
    ['mcp.json', '{ "mcpServers": { "a": { "command": "a", "args": null } } }', 'has "args" that are no list'],
    ['config.yaml', 'mcpServers:\n  a:\n    command: a\n    args: # none\n', 'has "args" that are no list'],
    ['config.yaml', 'a: &a a\nmcpServers:\n  a:\n    command: a\n    args: [*a]\n', 'has an anchor, an alias'],
    ['config.yaml', 'a: &a [a]\nmcpServers:\n  a:\n    command: a\n    args: *a\n', 'has an anchor, an alias'],
    ['config.yaml', 'mcpServers:\n  a:\n    command: &a a\nb: *a\n', 'has an anchor, an alias'],
    ['config.yaml', 'mcpServers:\n  a: &a\n    command: a\nb: *a\n', 'has an anchor, an alias'],
    ['config.yaml', 'a: &a { args: [] }\nmcpServers:\n  a:\n    <<: *a\n    command: a\n', 'has an anchor, an alias'],
    ['config.yaml', 'mcpServers:\n  a:\n    command: a\n    args: [!!str 8]\n', 'has an anchor, an alias'],
    ['config.yaml', 'a: &a {}\nmcpServers:\n  a:\n    url: https://a.example\n    b: *a\n', 'has an anchor, an alias'],
    [
      'config.toml',
      '[mcp_servers.a]\nurl = "https://a.example"\nbearer_token_env_var = "A B"\n',
      'has a header whose name is none, "A B"',
    ],
  ])('%s: %j', (file, text, why) => {
    expect(put(text, file)).toMatchObject({
      text,
      servers: [{ isChanged: false, what: expect.stringContaining(why) }],
    });
  });
});

it('a file of OpenCode has a place for servers also if it has none, or turns one off that another file has', () => {
  for (const mcp of ['{}', '{ "jira": { "enabled": false } }'])
    expect(put(`{ "mcp": ${mcp} }`, 'opencode.json').servers).toEqual([]);
  expect(() => put('{ "mcp": { "allowed": [] } }', 'settings.json')).toThrow('WRAP_NOT_A_CONFIGURATION');
});

it('a byte order mark before YAML is no indentation', () => {
  const text = '\ufeffa: 1\nmcpServers:\n  a:\n    command: a\n';
  const wrapped = put(text, 'config.yaml').text;
  expect(dataIn(wrapped, 'config.yaml')).toMatchObject({ mcpServers: { a: { command: 'npx' } } });
  expect(take(wrapped, 'config.yaml').text).toBe(text);
});

describe('a file that is broken', () => {
  it.each([
    ['mcp.json', '{\n  "mcpServers": {\n    "a" 1\n', 'mcp.json:3: it is no JSON there (ColonExpected)'],
    ['config.toml', 'a = 1\n[mcp_servers.a]\ncommand = npx\n', 'config.toml:3: it is no TOML there'],
    ['config.yaml', 'mcpServers:\n  a: [1\n', 'config.yaml:3: it is no YAML there'],
    ['config.toml', 'model = "x"\n', 'config.toml: it has none of'],
  ])('%s is named with the line, what is wrong, and what to do', (file, text, words) => {
    expect(() => put(text, file)).toThrow(words);
    expect(() => put(text, file)).toThrow('[WRAP_NOT_A_CONFIGURATION]\n  Name the file');
  });
});

it('whatever a server in TOML or YAML is called and given, it is there again', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('"', '\\', '\u2028', '\u007f', '#', "'''", ']', '😀'),
  );
  const words = fc.array(
    word.filter((text) => !/^(?:record|-)/.test(text)),
    { maxLength: 3 },
  );
  const name = fc.constantFrom('a', 'b c', 'd.e', '"', 'é');
  const quote = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
  const eol = fc.constantFrom('\n', '\r\n');
  const isUrl = fc.boolean();
  fc.assert(
    fc.property(name, words, word, eol, isUrl, (server, args, value, end, url) => {
      const list = `[${args.map(quote).join(', ')}]`;
      const what = url ? [`url`, quote(value)] : ['command', quote(`x${value}`)];
      const toml = [
        '# first',
        `[mcp_servers.${quote(server)}]`,
        `${what.join(' = ')} # c`,
        `args = ${list}`,
        '[z]',
        'a = 1',
      ].join(end);
      const yaml = [
        '# first',
        'mcpServers:',
        `  ${quote(server)}:`,
        `    ${what.join(': ')} # c`,
        `    args: ${list}`,
        'z: 1',
      ].join(end);
      for (const [file, text] of [['config.toml', toml] as const, ['config.yaml', yaml] as const]) {
        const wrapped = put(text, file);
        expect(wrapped.servers).toMatchObject([{ name: server, isChanged: true }]);
        dataIn(wrapped.text, file);
        expect(take(wrapped.text, file).text).toBe(text);
      }
    }),
    { numRuns: 60 },
  );
});
