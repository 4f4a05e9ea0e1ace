import { withRedactionOptions } from '../options/redaction-options.ts';
import { CLIENT_NAMES } from '../wrap/client-names.ts';
import {
  type CommandDefinition,
  collect,
  ignorePatternOption,
  withChangeOptions,
  withHttpServer,
} from './command-definition.ts';

/** Commands that inspect or change cassettes. */
export const CASSETTE_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'show',
    summary: 'print a session as a timeline',
    examples: ['show cassette.yaml'],
    describe: (command) =>
      command
        .argument('<file>', 'cassette; with --stats and --follow also a folder of cassettes')
        .option('--follow', 'follow the recording until its end')
        .option('--tool <name>', 'only calls of this tool')
        .option('--failed', 'only requests that ended in an error, or have no answer and were not cancelled')
        .option('--stats', 'count, duration and size, for each tool and method')
        .option('--json', 'rows, or statistics, as JSON')
        .option('--mermaid', 'as a Mermaid sequence diagram, which pull requests render')
        .option('--plan <side>', 'what each frame of the mock server or client waits for, and why')
        .option('--git', 'as text that compares well by lines: the driver of "git diff" (docs/diff-git.md)')
        .option(
          '--ignore <pointer>',
          'with --git: JSON Pointer of message values to leave out (repeatable)',
          collect,
          [],
        )
        .option(...ignorePatternOption('any text', 'with --git: ')),
    load: () => import('../commands/cassettes/show.ts'),
  },
  {
    name: 'diff',
    summary: 'compare two sessions by meaning, and report changes that break callers',
    examples: [
      'diff before.yaml after.yaml',
      'diff main:cassettes/weather.yaml cassettes/weather.yaml',
      'diff main: cassettes',
    ],
    describe: (command) =>
      withChangeOptions(command)
        .argument('<a>', 'cassette, or REVISION:FILE of git')
        .argument('<b>', 'the same, a folder or a pattern')
        .allowExcessArguments()
        .option('--ignore <pointer>', 'JSON Pointer of message values to ignore (repeatable)', collect, [])
        .option(...ignorePatternOption())
        .option('--slower <factor>', 'also report answers of B that took more than so many times as long: 2x')
        .option('--json', 'the differences as JSON')
        .option('--junit <path>', 'write the differences as JUnit XML')
        .option('--sarif <path>', 'write the differences that fail as SARIF, at the lines of B'),
    load: () => import('../commands/cassettes/diff.ts'),
  },
  {
    name: 'report',
    summary: 'show a session, or the differences between several, as an HTML page',
    examples: [
      'report cassette.yaml -o cassette.html',
      'report before.yaml after.yaml -o changes.html',
      'report --timeline weather.yaml calendar.yaml -o both.html',
      'report --viewer -o viewer.html',
    ],
    describe: (command) =>
      command
        .argument('[file...]', 'cassettes, or REVISION:FILE of git; none with --viewer')
        .option(
          '--ignore <pointer>',
          'of a comparison: JSON Pointer of message values to ignore (repeatable)',
          collect,
          [],
        )
        .option(...ignorePatternOption())
        .option('-o, --output <path>', 'write the page to this file instead of standard output')
        .option('--journal <file>', 'mark the faults in this file, written by record --journal')
        .option('--timeline', 'sessions of one client with several servers, on one axis of time')
        .option('--viewer', 'write a page without a session, which opens any cassette in a browser'),
    load: () => import('../commands/cassettes/report.ts'),
  },
  {
    name: 'ui',
    summary: 'show sessions in a browser, as they are recorded',
    examples: ['ui cassettes', 'ui cassettes --open -- node server.js'],
    describe: (command) =>
      withHttpServer(
        command
          .argument('[path]', 'folder of cassettes, or one cassette', '.')
          .argument('[command...]', 'the live server that pages may verify'),
      )
        .option('--listen <address>', 'where the browser shall connect', '127.0.0.1:0')
        .option('--open', 'open the browser of the system'),
    load: () => import('../commands/live/ui.ts'),
  },
  {
    name: 'lint',
    summary: 'report violations of the protocol by either side of a session',
    examples: ['lint cassettes'],
    describe: (command) =>
      command
        .argument('<file...>', 'cassettes, folders of cassettes, or quoted patterns')
        .option('--json', 'the violations as JSON')
        .option('--junit <path>', 'write a test case for each cassette as JUnit XML')
        .option('--sarif <path>', 'write the violations as SARIF'),
    load: () => import('../commands/cassettes/lint.ts'),
  },
  {
    name: 'coverage',
    summary: 'say which parts of the protocol cassettes exercise',
    examples: ['coverage cassettes'],
    describe: (command) =>
      command.argument('<file...>', 'cassettes, folders or patterns').option('--json', 'the parts as JSON'),
    load: () => import('../commands/cassettes/coverage.ts'),
  },
  {
    name: 'redact',
    summary: 'redact secrets in existing cassettes, or list them',
    examples: ['redact --check cassettes'],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('<file...>', 'cassettes, folders of cassettes, or quoted patterns')
        .option('--check', 'write nothing; exit 1 if there is a secret')
        .option('-o, --output <path>', 'write the redacted cassette to this file, and keep the original')
        .option('--json', 'the findings as JSON')
        .option('--junit <path>', 'with --check: write a test case for each cassette as JUnit XML')
        .option('--sarif <path>', 'with --check: write the findings as SARIF, for annotations in code review'),
    load: () => import('../commands/cassettes/redact.ts'),
  },
  {
    name: 'cut',
    summary: 'keep a part of a cassette, with everything needed to play it',
    examples: [
      'cut cassette.yaml --tool weather -o weather-calls.yaml',
      'cut cassette.yaml --from 1.5s --drop -o beginning.yaml',
    ],
    describe: (command) =>
      command
        .argument('<file>', 'cassette')
        .option('--tool <name>', 'calls of this tool (repeatable)', collect, [])
        .option(
          '--method <name>',
          'requests and notifications of this method, of either side (repeatable)',
          collect,
          [],
        )
        .option('--lines <range>', 'events on these lines of the file, such as 10-40 (repeatable)', collect, [])
        .option('--from <time>', 'events from this time on, such as 250ms or 1.5s since the session began')
        .option('--to <time>', 'events up to this time')
        .option('--session <n>', 'a session over HTTP, counted from 1 (repeatable)', collect, [])
        .option('--drop', 'remove the selection instead of keeping it')
        .option('-o, --output <path>', 'write the part to this file instead of standard output'),
    load: () => import('../commands/cassettes/cut.ts'),
  },
  {
    name: 'merge',
    summary: 'join the events of several cassettes',
    examples: ['merge add.yaml echo.yaml -o both.yaml'],
    describe: (command) =>
      command
        .argument('<first>', 'cassette')
        .argument('<others...>', 'cassettes that follow it')
        .option('--same-secrets', 'equal placeholders stand for the same secret in all cassettes')
        .requiredOption('-o, --output <path>', 'cassette to write, which must not exist'),
    load: () => import('../commands/cassettes/merge.ts'),
  },
  {
    name: 'prune',
    summary: 'remove the cassettes of deleted tests',
    examples: ['prune -- npx vitest run'],
    describe: (command) =>
      command
        .argument(
          '[command...]',
          'the tests: cassettes that they do not use are removed; without a command, cassettes without a test file',
        )
        .option('--fail-orphans', 'remove nothing; exit 1 if there is something to remove')
        .passThroughOptions(),
    load: () => import('../commands/cassettes/prune.ts'),
  },
  {
    name: 'wrap',
    summary: 'add the recorder to a client’s configuration, or remove it',
    examples: ['wrap --client cursor', 'wrap .mcp.json --redact-rules redaction.yaml', 'wrap .mcp.json --undo'],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('[file]', 'configuration: claude_desktop_config.json, .mcp.json, config.toml, …')
        .option('--client <name>', `find the configuration of a client: ${CLIENT_NAMES.join(', ')}`)
        .option('-o, --output <folder>', 'folder for cassettes, with a subfolder for each server', 'cassettes')
        .option('--server <name>', 'only this server (repeatable)', collect, [])
        .option('--undo', 'remove the recorder')
        .option('--dry-run', 'write nothing; show the changes')
        .option('--local', 'start this installation by its path instead of npx'),
    load: () => import('../commands/wrap.ts'),
  },
  {
    name: 'convert',
    summary: 'convert recordings of other tools to cassettes, or cassettes to other formats',
    examples: ['convert session.har session.yaml', 'convert cassette.yaml cassette.mmd'],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('<in>', 'cassette, or a recording of another tool')
        .argument('<out>', 'file to write, which must not exist; - is standard output')
        .option('--from <format>', 'format of the input, if it is not detected (docs/convert.md)')
        .option('--to <format>', 'cassette, ndjson, har or mermaid; by default the format of the file name')
        .option('--no-redact', 'keep passwords and tokens'),
    load: () => import('../commands/cassettes/convert.ts'),
  },
];
