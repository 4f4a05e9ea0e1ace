import { withFaultOptions } from '../options/fault-options.ts';
import { withRedactionOptions } from '../options/redaction-options.ts';
import { type CommandDefinition, collect } from './command-definition.ts';

const SECRETS_FROM_ENV = 'variables, with commas, to put in place of the placeholders of their names';

const AUTH = 'with --http: want access tokens, and issue them to whoever comes (docs/auth.md)';
const AUTH_FILE = 'with --http: the same, as this YAML file says';

/** Commands that stand between, or beside, programs that run. */
export const SESSION_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'record',
    summary: 'put a recorder between a client and a server',
    examples: [
      'record -o cassette.yaml -- npx @modelcontextprotocol/server-everything stdio',
      'record -o cassette.yaml --http https://example.com/mcp --listen 127.0.0.1:8080',
    ],
    describe: (command) =>
      withFaultOptions(withRedactionOptions(command))
        .argument('[command...]', 'the server, as the client would start it')
        .requiredOption('-o, --output <path>', 'cassette to write, or a directory for one per session')
        .option('--timing <how>', 'gaps in the cassette: coarse, exact or none', 'coarse')
        .option('--no-redact', 'keep passwords and tokens as they pass')
        .option('--http <url>', 'instead of a command: the MCP endpoint of a server that runs already')
        .option('--stdio', 'with --http: the client speaks stdio, as with a command')
        .option(
          '--header <header>',
          "with --http: 'Name: value' for the server, with every request; env:NAME in it is a variable, cmd:COMMAND what a command prints (repeatable)",
          collect,
          [],
        )
        .option('--listen <address>', 'with --http: where the client shall connect', '127.0.0.1:0')
        .option('--ca <file>', 'with --http: certificates (PEM) to trust beside the usual ones')
        .option('--allow-host <name>', 'with --http: another name of this machine (repeatable)', collect, [])
        .option('--idle <seconds>', 'with --http: a session silent for so long is over', '600')
        .option('--body-limit <MB>', 'with --http: the longest message to keep whole', '64')
        .option('--sessions <n>', 'with --http: as many sessions are followed at once', '100000')
        .option('--connections <n>', 'with --http: as many clients are connected at once', '10000')
        .passThroughOptions(),
    load: () => import('../commands/live/record.ts'),
  },
  {
    name: 'replay',
    summary: 'serve a cassette: the recorded server, without the server',
    examples: [
      'replay cassette.yaml',
      "replay --fault 'cut:tools/call' cassette.yaml",
      'replay --http --control 127.0.0.1:0 cassette.yaml',
      'replay --else cassette.yaml -- node server.js',
    ],
    describe: (command) =>
      withFaultOptions(
        withRedactionOptions(command)
          .argument('<file>', 'cassette; with --http also a folder of them, one for each session')
          .argument('[command...]', 'with --else: the live server')
          .option('--timing <how>', 'instant, recorded, a factor such as 0.5x, or a cap such as 200ms', 'instant')
          .option('--ignore <pointer>', 'JSON Pointer into a request that does not count (repeatable)', collect, [])
          .option('--http', 'serve over HTTP, any number of clients, until SIGINT or SIGTERM')
          .option('--listen <address>', 'with --http: where', '127.0.0.1:0')
          .option('--path <path>', 'with --http: the path of the endpoint', '/mcp')
          .option('--allow-host <name>', 'with --http: another name of this machine (repeatable)', collect, [])
          .option(
            '--control <address>',
            'where programs may ask and change the mock server, over HTTP (docs/control.md)',
          )
          .option('--auth', AUTH)
          .option('--auth-file <file>', AUTH_FILE)
          .option('--repeat', 'repeat the last recorded answer of every call')
          .option('--else', 'let a live server answer what the cassette does not have')
          .option('--add', 'with --else: add that to the cassette')
          .option('--strict', 'exit 1 also when the client says something else than in the cassette, or less')
          .option('--findings <file>', 'append what is found as lines of JSON, and when we start and end')
          .option('--live-faults <file>', 'misbehave as this file of JSON says, which may change meanwhile')
          .option('--secrets-from-env <names>', SECRETS_FROM_ENV),
      ),
    load: () => import('../commands/mock-servers/replay.ts'),
  },
  {
    name: 'mock',
    summary: 'serve a mock that is written in YAML, and read it again when it changes',
    examples: ['mock weather.mock.yaml', 'mock weather.mock.yaml --http --auth --listen 127.0.0.1:8080'],
    describe: (command) =>
      command
        .argument('<file>', 'mock file')
        .option('--http', 'serve over HTTP, any number of clients, until SIGINT or SIGTERM')
        .option('--listen <address>', 'with --http: where', '127.0.0.1:0')
        .option('--path <path>', 'with --http: the path of the endpoint', '/mcp')
        .option('--allow-host <name>', 'with --http: another name of this machine (repeatable)', collect, [])
        .option('--auth', AUTH)
        .option('--auth-file <file>', AUTH_FILE)
        .option(
          '--control <address>',
          'with --http: where programs may ask and change the mock server, over HTTP (docs/control.md)',
        ),
    load: () => import('../commands/mock-servers/mock.ts'),
  },
  {
    name: 'new',
    summary: 'write a mock file from what a live server lists, with an example answer for each tool',
    examples: [
      'new -o weather.mock.yaml -- node server.js',
      'new -o weather.mock.yaml --http http://127.0.0.1:3000/mcp',
    ],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('[command...]', 'the server, unless it runs already')
        .option('-o, --output <file>', 'mock file to write, which must not exist; without it, standard output')
        .option('--http <url>', 'instead of a command: the MCP endpoint of a server that runs already')
        .option('--header <header>', "with --http: 'Name: value' for every request (repeatable)", collect, [])
        .option('--ca <file>', 'with --http: certificates (PEM) to trust beside the usual ones')
        .passThroughOptions(),
    load: () => import('../commands/live/new.ts'),
  },
  {
    name: 'verify',
    summary: 'play the recorded client to a live server and compare its answers',
    examples: ['verify cassette.yaml -- node build/server.js', 'verify cassette.yaml --http http://127.0.0.1:3000/mcp'],
    describe: (command) =>
      withFaultOptions(withRedactionOptions(command))
        .argument('<file>', 'cassette')
        .argument('[command...]', 'the live server, unless it runs already')
        .option('--http <url>', 'instead of a command: the MCP endpoint of a server that runs already')
        .option('--header <header>', "with --http: 'Name: value' for every request (repeatable)", collect, [])
        .option('--ca <file>', 'with --http: certificates (PEM) to trust beside the usual ones')
        .option('--ignore <pointer>', 'JSON Pointer into a message that does not count (repeatable)', collect, [])
        .option('--timeout <ms>', 'how long to wait for an answer or notification', '10000')
        .option('--max-time <ms>', 'fail answers that take longer')
        .option('--strict', 'fail notifications that the cassette does not have, too')
        .option('--timing <how>', 'instant, recorded, a factor such as 0.5x, or a cap such as 200ms', 'instant')
        .option('--json', 'the outcome as JSON')
        .option('--junit <path>', 'write the outcome as JUnit XML')
        .option('--sarif <path>', 'write what failed as SARIF')
        .option(
          '--other-requests',
          'with --http: send recorded requests to other paths, and headers, that MCP does not need',
        )
        .option('--secrets-from-env <names>', SECRETS_FROM_ENV)
        .option('--update', 'rewrite the answers of the cassette that differ')
        .option('--propose-ignores', 'run twice and print what differs between the runs'),
    load: () => import('../commands/live/verify.ts'),
  },
  {
    name: 'proxy',
    summary: 'let a live server misbehave on purpose; nothing is recorded',
    examples: [
      "proxy --fault 'latency:tools/call:delay=2000' -- node server.js",
      "proxy --fault 'reset:tools/call' --http http://127.0.0.1:3000/mcp",
    ],
    describe: (command) =>
      withFaultOptions(command.argument('[command...]', 'the server, as the client would start it'))
        .option('--http <url>', 'instead of a command: the MCP endpoint of a server that runs already')
        .option('--listen <address>', 'with --http: where the client shall connect', '127.0.0.1:0')
        .option('--allow-host <name>', 'with --http: another name of this machine (repeatable)', collect, [])
        .option('--ca <file>', 'with --http: certificates (PEM) to trust beside the usual ones')
        .passThroughOptions(),
    load: () => import('../commands/live/proxy.ts'),
  },
  {
    name: 'run',
    summary: 'play a scenario to a client or a server, and say which of its expectations hold',
    examples: ['run cut.yaml -- node client.js {server}'],
    describe: (command) =>
      command
        .argument('<file>', 'scenario')
        .argument(
          '[command...]',
          'what is tested: a server, or a client in which {server} becomes the words of the mock server’s command line',
        )
        .option('--keep <file>', 'keep the cassette of what passed')
        .option('--json', 'the outcome as JSON')
        .option('--junit <path>', 'write the outcome as JUnit XML'),
    load: () => import('../commands/live/run.ts'),
  },
  {
    name: 'sweep',
    summary:
      'run a client, or a server, once for every fault at every message, and say what hangs, crashes, leaks or lies',
    examples: [
      'sweep cassette.yaml -- node client.js {server}',
      'sweep --http cassette.yaml -- node client.js {url}',
      'sweep --server cassette.yaml -- node server.js',
      'sweep --server --http cassette.yaml http://127.0.0.1:3000/mcp',
    ],
    describe: (command) =>
      command
        .argument('<file>', 'cassette')
        .argument(
          '<command...>',
          'the client: {server} in it becomes the words of the mock server’s command line; with --http {url} its URL; with --server the server, or its URL',
        )
        .option('--server', 'sweep the server: the recorded client misbehaves at each of its messages')
        .option('--http', 'the client connects to the mock server, or we to the server, over Streamable HTTP')
        .option('--faults <names>', 'which faults, separated by commas')
        .option('--point <name>', 'only this point, such as cut@3 (repeatable)', collect, [])
        .option('--shard <i/n>', 'only the i-th of n parts, to spread a sweep over machines')
        .option(
          '--jobs <n>',
          'how many runs at once; by default one for each processor, and beside them those that only wait',
        )
        .option(
          '--deadline <ms>',
          'how long one run may take, or with --server an answer: by default ten times one without faults, at least 2000',
        )
        .option(
          '--ignore <pointer>',
          'with --server: leave this place out of every comparison (repeatable)',
          collect,
          [],
        )
        .option(
          '--header <field>',
          'with --server --http: a header of every request, such as "Authorization: Bearer …" (repeatable)',
          collect,
          [],
        )
        .option('--other-requests', 'with --server --http: send the cassette’s requests that MCP does not need, too')
        .option(
          '--secrets-from-env <names>',
          'with --server: environment variables whose values replace the placeholders of their names, separated by commas',
        )
        .option('--json', 'the results as JSON')
        .option('--junit <path>', 'write the results as JUnit XML'),
    load: () => import('../commands/live/sweep.ts'),
  },
];
