/** A value of a configuration, in any format. */
export type Value = string | number | boolean | null | readonly Value[] | Members;
/** Members in order. Names that look like numbers are not used, because JavaScript would sort them. */
export interface Members {
  readonly [name: string]: Value;
}

export function isMembers(value: Value): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A server that a client starts. */
export interface LocalServer {
  command: string;
  args?: readonly string[];
  env?: Members;
  cwd?: string;
  /** `args` and `env` stand before the command. */
  isCommandLast?: boolean;
  isOff?: boolean;
}

/** A server at a URL. */
export interface RemoteServer {
  url: string;
  headers?: Readonly<Record<string, string>>;
  isOAuth?: boolean;
  isSse?: boolean;
  isOff?: boolean;
}

/** A server as all clients can have it. `VARIABLE` stands for a variable as the client writes it. */
export type ServerPart = { name: string; isLeft?: boolean } & (
  | { local: LocalServer; remote?: never }
  | { remote: RemoteServer; local?: never }
);

export const VARIABLE = '<variable>';

const WRAPPED_BY_HAND = ['mcp-record', 'record', '--timing', 'none', '-o', 't.yaml', '--', 'node', 'a.js'];
const WRAPPED = ['-y', 'mcp-record@0.1.0', 'record', '-o', '/cassettes/memory/', '--', 'npx', '-y', 'server-memory'];

/** Servers by what is special in them. */
export const SERVER_PARTS: Readonly<Record<string, ServerPart>> = {
  npx: {
    name: 'filesystem',
    local: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/U/me/My Documents', '.'] },
  },
  'url alone': { name: 'deepwiki', remote: { url: 'https://mcp.deepwiki.example/mcp' } },
  'uvx, and a folder': {
    name: 'git',
    local: { command: 'uvx', args: ['mcp-server-git', '--repository', 'path/to/repo'], cwd: './server', env: {} },
  },
  'docker, with a token': {
    name: 'github',
    local: {
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
      env: { GITHUB_TOKEN: VARIABLE, GITHUB_TOOLSETS: 'repos,issues' },
    },
  },
  'absolute paths with blanks': {
    name: 'notes',
    local: { command: '/Applications/My Tools/node', args: ['/U/me/my server/build/index.js', '--db=/tmp/a b.db'] },
  },
  'url with headers': {
    name: 'context7',
    remote: { url: 'https://mcp.context7.example/mcp?a=1&b=2', headers: { 'X-Api-Key': 'ctx7-0', 'X-Team': 'a b' } },
  },
  'python, turned off': {
    name: 'weather',
    local: { command: 'python3', args: ['-m', 'weather_server', '--units', 'metric'], isOff: true },
  },
  'Windows paths': {
    name: 'desktop-commander',
    local: {
      command: String.raw`C:\Program Files\nodejs\node.exe`,
      args: [String.raw`C:\Users\me\new\tools.js`, String.raw`\\server\share`, '--log="C:\\temp"'],
      env: { APPDATA: String.raw`C:\Users\me\AppData\Roaming` },
    },
  },
  'url with a variable': {
    name: 'sentry',
    remote: { url: 'https://mcp.sentry.example/mcp', headers: { Authorization: `Bearer ${VARIABLE}` } },
  },
  'no args': { name: 'taskfile', local: { command: 'mcp-taskfile-server', env: { LOG: 'debug' } } },
  'command alone': { name: 'figma', local: { command: 'figma-mcp' } },
  'no args, in a folder': { name: 'own', local: { command: './bin/server', cwd: '/srv/own', isOff: true } },
  'empty args': { name: 'everything', local: { command: 'mcp-server-everything', args: [], env: { LOG: 'debug' } } },
  'command last': {
    name: 'postgres',
    local: {
      command: 'node',
      args: ['--', '-v', 'postgresql://localhost:5432/db#main', ''],
      env: { PGSSL: '1' },
      isCommandLast: true,
    },
  },
  'event stream, turned off': { name: 'asana', remote: { url: 'http://localhost:8080/sse', isSse: true, isOff: true } },
  'unicode name': {
    name: 'Größe – 天気 🌦',
    local: { command: 'uv', args: ['run', 'wetter.py', '--ort', 'Zürich'], env: { LOG: 'debug' } },
  },
  'name with dots': { name: 'io.github.me/server', local: { command: 'bunx', args: ['server@1.2.3'] } },
  'name with blanks': { name: 'My "best" server', local: { command: 'deno', args: ['run', '-A', 'jsr:@me/mcp'] } },
  'OAuth, name with dots': {
    name: 'mcp.linear.app',
    remote: { url: 'https://mcp.linear.example/mcp', isOAuth: true },
  },
  'wrapped already': { name: 'memory', isLeft: true, local: { command: 'npx', args: WRAPPED } },
  'wrapped by hand': { name: 'recorded', isLeft: true, local: { command: 'npx', args: WRAPPED_BY_HAND } },
};
