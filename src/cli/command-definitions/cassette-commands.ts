import { withRedactionOptions } from '../options/redaction-options.ts';
import { type CommandDefinition, collect } from './command-definition.ts';

/** Commands that look at cassettes, or change them. */
export const CASSETTE_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'show',
    summary: 'print a session as a timeline',
    examples: ['show cassette.yaml'],
    describe: (command) =>
      command
        .argument('<file>', 'cassette; with --stats and --follow also a folder of them')
        .option('--follow', 'as it is recorded, until its end')
        .option('--tool <name>', 'calls of this tool alone')
        .option('--failed', 'requests alone that ended in an error, or have no answer')
        .option('--stats', 'how often, how fast and how large, for each tool and method')
        .option('--json', 'rows, or statistics, as JSON')
        .option('--mermaid', 'as a Mermaid sequence diagram, which pull requests draw')
        .option('--plan <side>', 'what each frame of the mock server or client waits for, and why')
        .option('--git', 'as text that compares well by lines: the driver of "git diff" (docs/diff.md)'),
    load: () => import('../commands/cassettes/show.ts'),
  },
  {
    name: 'diff',
    summary: 'compare two sessions by what they mean, and say what breaks callers',
    examples: ['diff before.yaml after.yaml'],
    describe: (command) =>
      command
        .argument('<a>', 'cassette')
        .argument('<b>', 'cassette')
        .option('--ignore <pointer>', 'JSON Pointer into a message that does not count (repeatable)', collect, [])
        .option('--json', 'what differs as JSON'),
    load: () => import('../commands/cassettes/diff.ts'),
  },
  {
    name: 'report',
    summary: 'draw a session, or what differs between several, as an HTML page',
    examples: ['report cassette.yaml -o cassette.html', 'report before.yaml after.yaml -o changes.html'],
    describe: (command) =>
      command
        .argument('<file...>', 'cassettes')
        .option('-o, --output <path>', 'write the page here, and not to standard output')
        .option('--journal <file>', 'mark the faults that --journal of record has written'),
    load: () => import('../commands/cassettes/report.ts'),
  },
  {
    name: 'ui',
    summary: 'show sessions in a browser, as they are recorded',
    examples: ['ui cassettes', 'ui cassette.yaml --listen 127.0.0.1:8080 --open'],
    describe: (command) =>
      command
        .argument('[path]', 'folder of cassettes, or one cassette', '.')
        .option('--listen <address>', 'where the browser shall connect', '127.0.0.1:0')
        .option('--open', 'open the browser of the system'),
    load: () => import('../commands/live/ui.ts'),
  },
  {
    name: 'lint',
    summary: 'say what of the protocol the two sides of a session broke',
    examples: ['lint cassette.yaml'],
    describe: (command) =>
      command
        .argument('<file>', 'cassette')
        .option('--json', 'the violations as JSON')
        .option('--sarif <path>', 'write them as SARIF'),
    load: () => import('../commands/cassettes/lint.ts'),
  },
  {
    name: 'redact',
    summary: 'take the secrets out of cassettes that are there, or say where they stand',
    examples: ['redact --check cassettes/*.yaml'],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('<file...>', 'cassettes')
        .option('--check', 'write nothing; exit 1 where there is a secret')
        .option('-o, --output <path>', 'write the one cassette here, and leave it as it is')
        .option('--json', 'what was found as JSON'),
    load: () => import('../commands/cassettes/redact.ts'),
  },
  {
    name: 'cut',
    summary: 'keep a part of a cassette, with what it cannot be played without',
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
        .option('--drop', 'remove what is selected, in place of keeping it')
        .option('-o, --output <path>', 'write the part here, and not to standard output'),
    load: () => import('../commands/cassettes/cut.ts'),
  },
  {
    name: 'merge',
    summary: 'join the events of several cassettes in one',
    examples: ['merge add.yaml echo.yaml -o both.yaml'],
    describe: (command) =>
      command
        .argument('<first>', 'cassette')
        .argument('<others...>', 'cassettes that follow it')
        .requiredOption('-o, --output <path>', 'the cassette to write, which must not be there'),
    load: () => import('../commands/cassettes/merge.ts'),
  },
  {
    name: 'prune',
    summary: 'remove the cassettes of tests that are no more',
    examples: ['prune -- npx vitest run'],
    describe: (command) =>
      command
        .argument('[command...]', 'the tests: what they do not use is removed; without, what has no test file')
        .option('--fail-orphans', 'remove nothing, and exit 1 where there is something to remove')
        .passThroughOptions(),
    load: () => import('../commands/cassettes/prune.ts'),
  },
  {
    name: 'wrap',
    summary: 'put the recorder into a client’s configuration, or take it out again',
    examples: ['wrap .mcp.json', 'wrap .mcp.json --undo'],
    describe: (command) =>
      command
        .argument('<file>', 'configuration: claude_desktop_config.json, .mcp.json, mcp.json, …')
        .option('-o, --output <folder>', 'where the cassettes go, in a folder for each server', 'cassettes')
        .option('--server <name>', 'only this server (repeatable)', collect, [])
        .option('--undo', 'take the recorder out again')
        .option('--dry-run', 'write nothing, and show what would be different')
        .option('--local', 'start this installation by its path, and not by npx'),
    load: () => import('../commands/wrap.ts'),
  },
  {
    name: 'convert',
    summary: 'read what other tools have recorded, or write a session for them',
    examples: ['convert session.har session.yaml', 'convert cassette.yaml cassette.mmd'],
    describe: (command) =>
      withRedactionOptions(command)
        .argument('<in>', 'cassette, or a recording of another tool')
        .argument('<out>', 'file to write, which must not be there; - is standard output')
        .option('--from <format>', 'what it is, where its looks do not tell (docs/convert.md)')
        .option('--to <format>', 'cassette, ndjson, har or mermaid; by default as the name says')
        .option('--no-redact', 'keep passwords and tokens'),
    load: () => import('../commands/cassettes/convert.ts'),
  },
];
