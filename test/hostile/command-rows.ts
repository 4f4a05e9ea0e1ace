import { CASSETTE, FORMATS } from '../../src/convert/formats.ts';

/** A command line that reads the cassette of a stranger. */
export interface Row {
  /** Command and its options, as a reader would call it. */
  title: string;
  /** Arguments after the command: `F` is the hostile cassette, `B` a good one, `NAMED` the host and port of the server. */
  args: readonly string[];
  /** Who uses what the command serves, until it ends. */
  visits?: 'stdio' | 'http' | 'control' | 'browser' | 'follow';
  /** Programs that the command line names, and may start. */
  spawns?: readonly (readonly string[])[];
  /** Copies the cassette to this name in the folder of the run, which takes the place of `F`. */
  copy?: string;
  /** Requests that the cassette may send to the named server: those of MCP, or also others. */
  sends?: 'mcp' | 'others';
  /** Statuses of `exit`, beside 0, 1 and 2. `any`: the cassette says how its server ended. */
  status?: 'any';
  /** Standard output has a cassette: characters that YAML allows stay as they are, unless it is a terminal. */
  isCassette?: boolean;
}

/** Answers every request with an empty result, as fast as a process can. */
const SERVER = ['sed', '-u', '-n', 's/.*"id":\\([^,}]*\\).*/{"jsonrpc":"2.0","id":\\1,"result":{}}/p'] as const;
const SPAWNS = { spawns: [SERVER] };
/** Clients that reach the mock server of a sweep or a scenario, as it looks to the command, without starting it. */
const REACHES_STDIO = ['sh', '-c', ': > "$4"', '{server}'];
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a shell reads them
const REACHES_HTTP = [
  'bash',
  '-c',
  'at=${0#http://}; at=${at%%/*}; exec 3<>/dev/tcp/${at%:*}/${at#*:}; printf "GET /mcp HTTP/1.1\\r\\nhost: $at\\r\\n\\r\\n" >&3; head -c 1 <&3 >/dev/null',
  '{url}',
];
const REACHES_REPLAY = ['sh', '-c', 'echo "{}" > "${14}"', '{server}'];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: a shell reads them
/** What is in braces becomes the words of a mock server. */
const starts = (client: readonly string[]) => ({ spawns: [[...client.slice(0, -1), '…']] });
const SOURCES = FORMATS.from.filter((format) => format !== CASSETTE);
/** A file name that a glob of the shell takes up. */
const HOSTILE_NAME = 'a\u001b[2J\u009b\u202e$(touch pwned).yaml';
const row = (title: string, args: readonly string[], rest: Omit<Row, 'title' | 'args'> = {}): Row => ({
  title,
  args,
  ...rest,
});

/** Every command that reads cassettes, with the options that make it do something else. */
export const ROWS: readonly Row[] = [
  row('show', ['F']),
  row('show --json', ['F', '--json']),
  row('show --plan server', ['F', '--plan', 'server']),
  row('show --plan client', ['F', '--plan', 'client']),
  row('show --git', ['F', '--git']),
  row('show --mermaid', ['F', '--mermaid']),
  row('show --stats', ['F', '--stats']),
  row('show --stats --json', ['F', '--stats', '--json']),
  row('show --failed', ['F', '--failed']),
  row('show --tool', ['F', '--tool', 'none']),
  row('show --follow', ['F', '--follow'], { visits: 'follow' }),
  row('show --follow --json', ['F', '--follow', '--json'], { visits: 'follow' }),
  row('diff', ['B', 'F']),
  row('diff, the other way', ['F', 'B', '--json']),
  row('diff --used-by', [
    'B',
    'F',
    '--used-by',
    'F',
    '--fail-on',
    'used',
    '--junit',
    'diff.xml',
    '--sarif',
    'diff.sarif',
  ]),
  row('report', ['F', '-o', 'page.html']),
  row('report of two', ['B', 'F', '-o', 'page.html']),
  row('report --timeline', ['--timeline', 'B', 'F', '-o', 'page.html']),
  row('report --viewer', ['--viewer', '-o', 'viewer.html']),
  row('report --viewer, of a hostile name', ['F', '--viewer'], { copy: HOSTILE_NAME }),
  row('lint', ['F', '--sarif', 'lint.sarif', '--junit', 'lint.xml']),
  row('lint --json', ['F', '--json']),
  row('coverage', ['F', 'B']),
  row('coverage --json', ['F', '--json']),
  row('redact --check', ['F', '--check']),
  row('redact -o', ['F', '-o', 'redacted.yaml', '--json']),
  row('cut', ['F', '--from', '0ms', '-o', 'cut.yaml']),
  row('cut --lines', ['F', '--lines', '1-40', '-o', 'cut.yaml']),
  row('merge --same-secrets', ['F', 'B', '--same-secrets', '-o', 'merged.yaml']),
  row('cut to standard output', ['F', '--method', 'tools/call'], { isCassette: true }),
  row('cut --drop', ['F', '--tool', 'none', '--drop', '-o', 'cut.yaml']),
  row('merge', ['B', 'F', '-o', 'merged.yaml']),
  row('convert to HAR', ['F', 'out.har']),
  row('convert to Mermaid', ['F', 'out.mmd']),
  row('convert to ndjson', ['F', '-']),
  row('convert to OTLP', ['F', 'out.json', '--to', 'otlp']),
  row('convert to a cassette', ['F', 'out.yaml', '--to', 'cassette']),
  ...SOURCES.map((format) => row(`convert --from ${format}`, ['F', '-', '--from', format])),
  row('prune', ['--fail-orphans'], { copy: '__cassettes__/gone.test.js/hostile.yaml' }),
  ...['show', 'lint', 'redact'].map((command) =>
    row(`${command}, of a hostile name`, command === 'redact' ? ['F', '--check'] : ['F'], { copy: HOSTILE_NAME }),
  ),
  row('prune, of a hostile name', ['--fail-orphans'], { copy: `__cassettes__/gone.test.js/${HOSTILE_NAME}` }),
  row('ui', ['F'], { visits: 'browser' }),
  row('replay', ['F'], { visits: 'stdio', status: 'any' }),
  row('replay --timing', ['F', '--timing', '2ms', '--strict', '--on-difference', 'fail', '--repeat'], {
    visits: 'stdio',
    status: 'any',
  }),
  row('replay --else', ['--else', 'F', '--', ...SERVER], { visits: 'stdio', status: 'any', ...SPAWNS }),
  row('replay --else --add', ['--else', '--add', 'F', '--', ...SERVER], {
    visits: 'stdio',
    status: 'any',
    copy: 'hostile.yaml',
    ...SPAWNS,
  }),
  row('replay --http', ['F', '--http'], { visits: 'http', status: 'any' }),
  row('replay --http --auth', ['F', '--http', '--auth'], { visits: 'http', status: 'any' }),
  row('replay --http --control', ['F', '--http', '--control', '127.0.0.1:0'], { visits: 'control', status: 'any' }),
  row('verify', ['F', '--timeout', '15', '--', ...SERVER], SPAWNS),
  row('load', ['F', '--for', '100ms', '--clients', '2', '--timeout', '15', '--', ...SERVER], {
    status: 'any',
    ...SPAWNS,
  }),
  row(
    'load --http',
    ['F', '--for', '100ms', '--clients', '1', '--timeout', '30', '--json', '--http', 'http://NAMED/mcp'],
    {
      sends: 'mcp',
      status: 'any',
    },
  ),
  row('load --html', ['F', '--for', '100ms', '--timeout', '15', '--html', 'load.html', '--', ...SERVER], {
    status: 'any',
    ...SPAWNS,
  }),
  row('load --export', [
    'F',
    '--export',
    'k6',
    '--threshold',
    'p95<1s',
    '-o',
    'load.js',
    '--http',
    'http://127.0.0.1:9/mcp',
  ]),
  row('fork', ['F:5', '-o', 'fork.yaml', '--timeout', '15', '--', ...SERVER], { status: 'any', ...SPAWNS }),
  row('fork --with-client', ['F:5', '--with-client', '-o', 'with.yaml', '--timeout', '15', '--', ...SERVER], {
    status: 'any',
    ...SPAWNS,
  }),
  row('fork --http', ['F:5', '-o', 'fork.yaml', '--timeout', '15', '--http', 'http://NAMED/mcp'], {
    status: 'any',
    sends: 'mcp',
  }),
  row(
    'load --workers',
    ['F', '--for', '100ms', '--clients', '2', '--workers', '2', '--timeout', '15', '--http', 'http://NAMED/mcp'],
    {
      status: 'any',
      sends: 'mcp',
    },
  ),
  row(
    'load --other-requests',
    ['F', '--for', '100ms', '--clients', '2', '--timeout', '15', '--other-requests', '--http', 'http://NAMED/mcp'],
    {
      status: 'any',
      sends: 'others',
    },
  ),
  row('verify --http', ['F', '--http', 'http://NAMED/mcp', '--timeout', '30', '--json'], { sends: 'mcp' }),
  row(
    'verify --http, credentials',
    [
      'F',
      '--http',
      'http://NAMED/mcp',
      '--timeout',
      '30',
      '--header',
      'authorization: Bearer mine',
      '--junit',
      'v.xml',
      '--sarif',
      'v.sarif',
    ],
    { sends: 'mcp' },
  ),
  row('verify --http --other-requests', ['F', '--http', 'http://NAMED/mcp', '--timeout', '30', '--other-requests'], {
    sends: 'others',
  }),
  row('verify --update', ['F', '--http', 'http://NAMED/mcp', '--timeout', '30', '--update'], {
    copy: 'hostile.yaml',
    sends: 'mcp',
  }),
  row(
    'sweep',
    ['F', '--faults', 'cut', '--shard', '1/12', '--deadline', '2000', '--', ...REACHES_STDIO],
    starts(REACHES_STDIO),
  ),
  row(
    'sweep --http',
    ['F', '--http', '--faults', 'cut', '--shard', '1/12', '--deadline', '2000', '--', ...REACHES_HTTP],
    starts(REACHES_HTTP),
  ),
  row(
    'sweep --orders',
    ['F', '--orders', '4', '--shard', '1/12', '--deadline', '2000', '--', ...REACHES_STDIO],
    starts(REACHES_STDIO),
  ),
  row(
    'sweep --server --orders',
    ['--server', 'F', '--orders', '4', '--shard', '1/40', '--deadline', '40', '--', ...SERVER],
    SPAWNS,
  ),
  row('sweep --server', ['--server', 'F', '--shard', '1/40', '--deadline', '40', '--', ...SERVER], SPAWNS),
  row('sweep --server --http', ['--server', '--http', 'F', 'http://NAMED/mcp', '--shard', '1/20', '--deadline', '40'], {
    sends: 'mcp',
  }),
  row(
    'sweep --server --inputs',
    ['--server', '--inputs', '--destructive', '--http', 'F', 'http://NAMED/mcp', '--shard', '1/4', '--deadline', '40'],
    { sends: 'mcp' },
  ),
  row(
    'shrink',
    ['F', '--point', 'cut@1', '-o', 'small', '--budget', '2', '--deadline', '2000', '--', ...REACHES_STDIO],
    starts(REACHES_STDIO),
  ),
  row(
    'shrink --server --http',
    [
      'F',
      '--server',
      '--http',
      '--point',
      'slice@3',
      '-o',
      'small',
      '--budget',
      '2',
      '--deadline',
      '40',
      'http://NAMED/mcp',
    ],
    { sends: 'mcp' },
  ),
  row('run', ['hostile.scenario.yaml', '--', ...REACHES_REPLAY], { ...starts(REACHES_REPLAY), copy: 'hostile.yaml' }),
];

/** Commands that read no cassette. */
export const OTHERS: Readonly<Record<string, string>> = {
  demo: 'it plays a cassette that it has recorded itself',
  record: 'it writes cassettes',
  mock: 'it reads a mock file',
  new: 'it reads the lists of a live server',
  proxy: 'it reads no file but that of its faults',
  wrap: 'it reads the configuration of a client',
  check: 'it runs redact, lint, diff and verify, which have rows of their own',
  completion: 'it prints a script',
};
