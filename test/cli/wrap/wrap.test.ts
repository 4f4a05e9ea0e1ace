import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { unwrap, wrap } from '../../../src/cli/wrap/wrap.ts';

const file = 'mcp.json';
const put = (text: string, names: readonly string[] = []) =>
  wrap(text, { file, names, folder: '/cassettes', program: ['npx', '-y', 'mcp-record'] });
const take = (text: string, names: readonly string[] = []) => unwrap(text, { file, names });

const RECORDER = ['-y', 'mcp-record', 'record', '-o'];
/** Where the sessions of a server are recorded. */
const folderOf = (name: string) => `${join('/cassettes', name)}/`;

/** What clients write, and what people make of it. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  'Claude Desktop': `{
  "globalShortcut": "",
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/home"
      ],
      "env": { "A": "1" }
    }
  }
}
`,
  'Claude Code, by project': `{"projects":{"/a b":{"mcpServers":{"one":{"type":"stdio","command":"srv","args":[],"env":{}}}}}}`,
  'VS Code, with comments': `{
\t// servers of this workspace
\t"inputs": [{ "id": "token", "type": "promptString" }],
\t"servers": {
\t\t"github": {
\t\t\t"type": "http",
\t\t\t"url": "https://example.com/mcp", /* beta */
\t\t\t"headers": { "Authorization": "Bearer \${input:token}" },
\t\t},
\t\t"local": {
\t\t\t"command": "uvx", // fast
\t\t\t"args": [ /* none of ours */ "my-\\u0073erver", ],
\t\t},
\t},
}`,
  'VS Code, settings': '{ "editor.tabSize": 2, "mcp": { "servers": { "x": { "command": "x" } } } }',
  'Cursor, by URL alone':
    '{ "mcpServers": { "a": { "url": "http://127.0.0.1:1/mcp" }, "b": { "command": "b", "args": ["-v"] } } }',
  'with Windows line ends and a byte order mark':
    '\ufeff{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "C:\\\\node.exe"\r\n    }\r\n  }\r\n}\r\n',
};

describe.each(Object.entries(CONFIGURATIONS))('a configuration of %s', (_, text) => {
  it('is what it was, to the byte, when the recorder is out again', () => {
    const wrapped = put(text).text;
    expect(wrapped).not.toBe(text);
    expect(take(wrapped).text).toBe(text);
  });

  it('is wrapped once only', () => {
    const wrapped = put(text);
    expect(put(wrapped.text)).toEqual({
      text: wrapped.text,
      servers: wrapped.servers.map(({ name }) => ({ name, what: 'is recorded already', isChanged: false })),
    });
  });
});

describe('a wrapped server', () => {
  it('is the recorder with the server’s own words after it, on lines as they were', () => {
    expect(put(CONFIGURATIONS['Claude Desktop']!).text).toBe(
      CONFIGURATIONS['Claude Desktop']!.replace('"command": "npx"', '"command": "npx"').replace(
        '        "-y",\n',
        `        "-y", "mcp-record", "record", "-o", ${JSON.stringify(folderOf('files'))}, "--", "npx",\n        "-y",\n`,
      ),
    );
  });

  it('is given args where it had none', () => {
    const { x } = parse(put(CONFIGURATIONS['VS Code, settings']!).text).mcp.servers;
    expect(x).toEqual({ command: 'npx', args: [...RECORDER, folderOf('x'), 'x'] });
  });

  it('at a URL becomes a command, whose headers no list of processes shows', () => {
    const { github } = parse(put(CONFIGURATIONS['VS Code, with comments']!).text).servers;
    expect(github).toMatchObject({
      type: 'stdio',
      command: 'npx',
      args: [
        ...RECORDER,
        folderOf('github'),
        '--stdio',
        '--http',
        'https://example.com/mcp',
        '--header',
        'Authorization: env:MCP_RECORD_HEADER_1',
      ],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
      env: { MCP_RECORD_HEADER_1: 'Bearer ${input:token}' },
    });
    expect(github).not.toHaveProperty('url');
  });

  it('is one of those that were named', () => {
    const text = CONFIGURATIONS['Cursor, by URL alone']!;
    const { a, b } = parse(put(text, ['b']).text).mcpServers;
    expect([a.url, b.command]).toEqual(['http://127.0.0.1:1/mcp', 'npx']);
    expect(take(put(text).text, ['b']).text).toBe(put(text, ['a']).text);
  });
});

describe('what is left as it is', () => {
  it('a recorder that was put there by hand', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'mcp-record', args: ['record', '--timing', 'none', '-o', 't/', '--', 'a'] },
      },
    });
    expect(take(text)).toEqual({
      text,
      servers: [{ name: 'a', what: 'has a recorder that was put there by hand: it is left', isChanged: false }],
    });
  });

  it('a mock server, which is none to be unwrapped', () => {
    const text = '{ "mcpServers": { "a": { "command": "npx", "args": ["mcp-record", "replay", "t.yaml"] } } }';
    expect(take(text).servers).toMatchObject([{ what: 'was not recorded' }]);
  });

  it('a server with a header whose name would be a command', () => {
    const text = '{ "servers": { "a": { "url": "https://a.example", "headers": { "X: cmd:touch x; echo": "y" } } } }';
    expect(put(text)).toMatchObject({
      text,
      servers: [{ isChanged: false, what: expect.stringContaining('cmd:touch') }],
    });
  });

  it('a server of a kind that is not known', () => {
    const text = '{ "servers": { "a": { "socket": "/run/a.sock" } } }';
    expect(put(text)).toMatchObject({ text, servers: [{ isChanged: false }] });
  });
});

describe('mistakes', () => {
  it('a file without servers, or that is no JSON, is named with the line', () => {
    expect(() => put('{}')).toThrow('it has none of "mcpServers", "servers"');
    expect(() => put('{\n  "mcpServers": {\n    "a" 1\n')).toThrow('mcp.json:3');
  });

  it('a server that is not there is answered with the one that was meant', () => {
    expect(() => put(CONFIGURATIONS['Cursor, by URL alone']!, ['bb'])).toThrow('Did you mean "b"?');
  });
});

it('whatever a server is called and given, it is there again', () => {
  const word = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('"', '\\', '\u2028', '\ud800', '//', '/*', '😀'));
  const words = fc.array(
    word.filter((text) => !/^(?:record|-)/.test(text)),
    { maxLength: 3 },
  );
  const server = fc.oneof(
    fc.record(
      { command: word.filter((text) => !text.startsWith('-')), args: words, env: fc.dictionary(word, word) },
      { requiredKeys: ['command'] },
    ),
    fc.record({ url: word, headers: fc.dictionary(word, word), type: fc.constant('http') }, { requiredKeys: ['url'] }),
  );
  const indent = fc.constantFrom(undefined, 2, '\t');
  fc.assert(
    fc.property(fc.dictionary(word, server, { maxKeys: 3 }), indent, (mcpServers, space) => {
      const text = JSON.stringify({ before: 1, mcpServers, after: [2] }, undefined, space);
      expect(take(put(text).text).text).toBe(text);
    }),
    { numRuns: 50 },
  );
});

it('records a server with the name of a device of Windows to a folder that every system can have', () => {
  const names = ['con', 'Com1.x', 'console', 'dots..'];
  const servers = Object.fromEntries(names.map((name) => [name, { command: 'x', args: [] }]));
  const { mcpServers } = parse(put(JSON.stringify({ mcpServers: servers })).text);
  expect(names.map((name) => mcpServers[name].args[4])).toEqual(['con-', 'Com1-.x', 'console', 'dots'].map(folderOf));
});

it('records servers whose names make the same folder to folders of their own, also one after the other', () => {
  const text = JSON.stringify({
    mcpServers: Object.fromEntries(
      ['天気', 'a b', 'a-b', '資料', 'A-B'].map((name) => [name, { command: 'x', args: [] }]),
    ),
  });
  const folders = (config: string) =>
    Object.values<{ args: string[] }>(parse(config).mcpServers).map(({ args }) => args[4]);
  const own = ['-', 'a-b', 'a-b-2', '--2', 'A-B-3'].map(folderOf);
  expect(folders(put(text).text)).toEqual(own);
  expect(folders(put(put(text, ['資料']).text).text)).toEqual(own);
});
