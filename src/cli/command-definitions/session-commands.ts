import { withFaultOptions } from '../options/fault-options.ts';
import { withRedactionOptions } from '../options/redaction-options.ts';
import {
  allowNotificationOption,
  CA_OPTION,
  type CommandDefinition,
  collect,
  HTTP_OPTION,
  ignorePatternOption,
  withChangeOptions,
  withHttpServer,
} from './command-definition.ts';
import { RECORD_COMMAND } from './record-command.ts';
import { SWEEP_COMMANDS } from './sweep-commands.ts';

const SECRETS_FROM_ENV = 'comma-separated variables that replace the placeholders of the same name';

const AUTH = 'with --http: require access tokens, and issue them to every client (docs/auth.md)';
const AUTH_FILE = 'with --http: the same, as this YAML file says';

const ON_DIFFERENCE = 'fail: exit 1 also if the client breaks the protocol, or differs; report: only print it';

/** Commands that run between or beside other programs. */
export const SESSION_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'demo',
    summary: 'show what this program does: record, replay and verify a small server that it brings along',
    examples: ['demo', 'demo -o weather'],
    describe: (command) =>
      command.option('-o, --output <folder>', 'keep the files in this folder, which must be new or empty'),
    load: () => import('../commands/live/demo.ts'),
  },
  RECORD_COMMAND,
  {
    name: 'replay',
    summary: 'serve a cassette in place of the recorded server',
    examples: [
      'replay cassette.yaml',
      "replay --fault 'cut:tools/call' cassette.yaml",
      'replay --http --control 127.0.0.1:0 cassette.yaml',
      'replay --else cassette.yaml -- node server.js',
    ],
    describe: (command) =>
      withFaultOptions(
        withRedactionOptions(command)
          .argument('<file>', 'cassette; with --http also a folder of cassettes, one for each session')
          .argument('[command...]', 'with --else: the live server')
          .option('--timing <how>', 'instant, recorded, a factor such as 0.5x, or a cap such as 200ms', 'instant')
          .option('--ignore <pointer>', 'JSON Pointer of request values to ignore (repeatable)', collect, [])
          .option(...ignorePatternOption('the texts of requests'))
          .option('--http', 'serve any number of clients over HTTP, until SIGINT or SIGTERM')
          .option('--listen <address>', 'with --http: address for clients', '127.0.0.1:0')
          .option('--path <path>', 'with --http: the path of the endpoint', '/mcp')
          .option('--allow-host <name>', 'with --http: additional host name of this machine (repeatable)', collect, [])
          .option(
            '--control <address>',
            'address of the control API, by which programs inspect and change the mock server (docs/control.md)',
          )
          .option('--auth', AUTH)
          .option('--auth-file <file>', AUTH_FILE)
          .option('--repeat', 'repeat the last recorded answer of every call')
          .option('--else', 'let a live server answer requests missing in the cassette')
          .option('--add', 'with --else: add these answers to the cassette')
          .option('--strict', 'exit 1 also if the client sends other or fewer messages than recorded')
          .option('--on-difference <how>', ON_DIFFERENCE)
          .option('--findings <file>', 'append findings, and the start and end of this process, as JSON lines')
          .option('--live-faults <file>', 'inject the faults in this JSON file, which may change at any time')
          .option('--secrets-from-env <names>', SECRETS_FROM_ENV),
      ),
    load: () => import('../commands/mock-servers/replay.ts'),
  },
  {
    name: 'mock',
    summary: 'serve a mock file (YAML), and read it again on every change',
    examples: ['mock weather.mock.yaml', 'mock weather.mock.yaml --http --auth --listen 127.0.0.1:8080'],
    describe: (command) =>
      command
        .argument('<file>', 'mock file')
        .option('--http', 'serve any number of clients over HTTP, until SIGINT or SIGTERM')
        .option('--listen <address>', 'with --http: address for clients', '127.0.0.1:0')
        .option('--path <path>', 'with --http: the path of the endpoint', '/mcp')
        .option('--allow-host <name>', 'with --http: additional host name of this machine (repeatable)', collect, [])
        .option('--auth', AUTH)
        .option('--auth-file <file>', AUTH_FILE)
        .option(
          '--control <address>',
          'with --http: address of the control API, by which programs inspect and change the mock server (docs/control.md)',
        )
        .option('--on-difference <how>', ON_DIFFERENCE),
    load: () => import('../commands/mock-servers/mock.ts'),
  },
  {
    name: 'new',
    summary: 'write a mock file from the lists of a live server, with an example answer for each tool',
    examples: [
      'new -o weather.mock.yaml -- node server.js',
      'new -o weather.mock.yaml --http http://127.0.0.1:3000/mcp',
    ],
    describe: (command) =>
      withHttpServer(
        withRedactionOptions(command)
          .argument('[command...]', 'the server, unless it is running already')
          .option('-o, --output <file>', 'mock file to write, which must not exist; without it, standard output'),
      ).passThroughOptions(),
    load: () => import('../commands/live/new.ts'),
  },
  {
    name: 'verify',
    summary: 'play the recorded client to a live server and compare its answers',
    examples: ['verify cassette.yaml -- node build/server.js', 'verify cassette.yaml --http http://127.0.0.1:3000/mcp'],
    describe: (command) =>
      withHttpServer(
        withChangeOptions(withFaultOptions(withRedactionOptions(command)))
          .argument('<file>', 'cassette')
          .argument('[command...]', 'the live server, unless it is running already'),
      )
        .option('--ignore <pointer>', 'JSON Pointer of message values to ignore (repeatable)', collect, [])
        .option(...ignorePatternOption())
        .option('--timeout <ms>', 'maximum wait for an answer or notification', '10000')
        .option('--max-time <ms>', 'fail answers that take longer')
        .option('--slower <factor>', 'fail answers that take more than so many times as long as in the cassette: 2x')
        .option('--await-end', 'let the server end the session')
        .option(...allowNotificationOption())
        .option('--strict', 'also fail unrecorded logs and progress, and a recording that was cut short')
        .option('--timing <how>', 'instant, recorded, a factor such as 0.5x, or a cap such as 200ms', 'instant')
        .option('--json', 'the outcome as JSON')
        .option('--junit <path>', 'write the outcome as JUnit XML')
        .option('--sarif <path>', 'write the failures as SARIF')
        .option('--other-requests', 'with --http: send recorded paths and headers that MCP does not need')
        .option('--secrets-from-env <names>', SECRETS_FROM_ENV)
        .option('--update', 'rewrite differing answers in the cassette')
        .option('--propose-ignores', 'run twice and print options that ignore the differences'),
    load: () => import('../commands/live/verify.ts'),
  },
  {
    name: 'check',
    summary: 'run all checks of cassettes and a server, as in CI: secrets, protocol, changes, verify --strict',
    examples: [
      'check cassettes -- node build/server.js',
      'check cassettes --base origin/main --fail-on breaking --reports reports -- node build/server.js',
    ],
    describe: (command) =>
      withHttpServer(
        withRedactionOptions(command).argument(
          '<files...>',
          'cassettes, folders of cassettes, or quoted patterns; after -- the live server, unless it is running already',
        ),
      )
        .option('--base <revision>', 'revision of git that the cassettes are compared with')
        .option(
          '--fail-on <what>',
          'which differences fail: any, breaking, or used (default: breaking for --base, any for the server)',
        )
        .option(
          '--used-by <pattern>',
          'cassettes of clients: say which of them a change breaks (repeatable)',
          collect,
          [],
        )
        .option('--ignore <pointer>', 'JSON Pointer of message values to ignore (repeatable)', collect, [])
        .option(...ignorePatternOption())
        .option(...allowNotificationOption())
        .option('--slower <factor>', 'fail answers that take more than so many times as long as recorded: 2x')
        .option('--timeout <ms>', 'maximum wait for an answer or notification of the server', '10000')
        .option('--secrets-from-env <names>', SECRETS_FROM_ENV)
        .option('--reports <folder>', 'write the results of each check to this folder, as JUnit XML and SARIF')
        .option('--markdown <path>', 'write all results as Markdown, for a comment or the summary of a job'),
    load: () => import('../commands/live/check.ts'),
  },
  {
    name: 'load',
    summary: 'play recorded clients in numbers to a live server, measure it, and compare all answers',
    examples: [
      'load cassette.yaml --clients 20 --for 60s --http http://127.0.0.1:3000/mcp',
      "load cassette.yaml --rate 5 --threshold 'p95<200ms' -- node build/server.js",
    ],
    describe: (command) =>
      withHttpServer(
        withRedactionOptions(command).argument(
          '<files...>',
          'cassettes, played in turn; after -- the live server, unless it is running already',
        ),
      )
        .option('--clients <n>', 'how many sessions at once: 10 by default; with --rate the most, 100 by default')
        .option('--rate <n>', 'start so many sessions a second, whether or not others have ended')
        .option('--workers <n>', 'threads of this process that share the clients: one for each core to use', '1')
        .option('--for <time>', 'how long sessions start: 30s, 500ms, 5m', '30s')
        .option('--ramp <time>', 'time until all clients have started, or the rate is reached')
        .option(
          '--threshold <condition>',
          "condition that must hold, such as 'p95<200ms', 'weather:max<1s' or 'failed<0.1%' (repeatable)",
          collect,
          [],
        )
        .option('--ignore <pointer>', 'JSON Pointer of message values to ignore (repeatable)', collect, [])
        .option(...ignorePatternOption())
        .option('--timeout <ms>', 'maximum wait for an answer or notification', '10000')
        .option('--strict', 'also fail notifications that the cassette does not have')
        .option('--json', 'the figures as JSON')
        .option('--junit <path>', 'write the outcome as JUnit XML')
        .option('--html <path>', 'write the figures as a page with charts')
        .option('--export <format>', 'write a script that makes the same load, and play nothing: k6')
        .option('-o, --output <path>', 'file for the script of --export; default: standard output')
        .option('--other-requests', 'with --http: send recorded paths and headers that MCP does not need')
        .option('--secrets-from-env <names>', SECRETS_FROM_ENV),
    load: () => import('../commands/live/load.ts'),
  },
  {
    name: 'fork',
    summary: 'play the recorded client to a live server up to a line, and let a live client go on from there',
    examples: [
      'fork -o new.yaml cassette.yaml:120 -- node server.js',
      'fork -o new.yaml cassette.yaml:120 --http http://127.0.0.1:3000/mcp',
      'fork --with-client -o new.yaml cassette.yaml:120 -- node server.js',
    ],
    describe: (command) =>
      withHttpServer(withRedactionOptions(command))
        .argument('<place>', 'FILE:LINE: a cassette, and its last line to play')
        .argument('[command...]', 'the live server, unless it is running already')
        .requiredOption('-o, --output <path>', 'cassette to write, or a directory for one per session')
        .option('--with-client', 'the cassette answers the client up to the line')
        .option('--listen <address>', 'address for a client over HTTP')
        .option('--allow-host <name>', 'with --listen: additional host name of this machine (repeatable)', collect, [])
        .option('--no-redact', 'keep passwords and tokens')
        .option('--ignore <pointer>', 'JSON Pointer of message values to ignore (repeatable)', collect, [])
        .option(...ignorePatternOption())
        .option('--timeout <ms>', 'maximum wait for an answer or notification', '10000')
        .option(
          '--on-difference <how>',
          'what to do if the server or client differs: fail, or report and go on',
          'fail',
        )
        .option('--secrets-from-env <names>', SECRETS_FROM_ENV),
    load: () => import('../commands/live/fork.ts'),
  },
  {
    name: 'proxy',
    summary: 'inject faults between a client and a live server; nothing is recorded',
    examples: [
      "proxy --fault 'latency:tools/call:delay=2000' -- node server.js",
      "proxy --fault 'reset:tools/call' --http http://127.0.0.1:3000/mcp",
    ],
    describe: (command) =>
      withFaultOptions(command.argument('[command...]', 'the server, as the client would start it'))
        .option(...HTTP_OPTION)
        .option('--listen <address>', 'with --http: address for clients', '127.0.0.1:0')
        .option('--allow-host <name>', 'with --http: additional host name of this machine (repeatable)', collect, [])
        .option(...CA_OPTION)
        .passThroughOptions(),
    load: () => import('../commands/live/proxy.ts'),
  },
  {
    name: 'run',
    summary: 'play a scenario to a client or a server, and check its expectations',
    examples: ['run cut.yaml -- node client.js {server}'],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('<file>', 'scenario')
        .argument(
          '[command...]',
          'the program under test: a server, or a client in which {server} is replaced by the mock server’s command line; over HTTP {url} by its URL',
        )
        .option('--keep <file>', 'keep the cassette of the session')
        .option('--secrets-from-env <names>', SECRETS_FROM_ENV)
        .option('--json', 'the outcome as JSON')
        .option('--junit <path>', 'write the outcome as JUnit XML'),
    load: () => import('../commands/live/run.ts'),
  },
  ...SWEEP_COMMANDS,
];
