import { Command, CommanderError } from 'commander';
import { McpRecordError } from '../kernel/errors.ts';
import { packageVersion } from '../kernel/installed-package.ts';
import { CASSETTE_COMMANDS } from './command-definitions/cassette-commands.ts';
import type { CommandDefinition } from './command-definitions/command-definition.ts';
import { COMPLETION_COMMAND } from './command-definitions/completion-command.ts';
import { SESSION_COMMANDS } from './command-definitions/session-commands.ts';
import { EXIT } from './io/output.ts';
import { requireMeaning } from './options/option-conflicts.ts';
import type { ReportOptions } from './reports/error-in-reports.ts';

/** Commands in the order of the help text. */
export const COMMANDS: readonly CommandDefinition[] = [...SESSION_COMMANDS, ...CASSETTE_COMMANDS, COMPLETION_COMMAND];

/** Runs the command line `argv` and sets the exit status of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const root = program(argv[2]);
  try {
    await root.parseAsync([...argv]);
  } catch (error) {
    const command = root.commands.find((one) => one.name() === argv[2]);
    const problem =
      error instanceof CommanderError ? usageError(unknownOptionFirst(error, command, argv.slice(3))) : error;
    if (problem === undefined) process.exit(EXIT.ok);
    const { printFailure } = await import('./reports/error-in-reports.ts');
    const status = await printFailure(
      problem,
      command && { name: command.name(), file: command.args[0], options: command.opts() },
    );
    // Exits at once: pending work, such as a wait for a server, must not keep the process alive.
    process.exit(status);
  }
}

function hasReportFile({ junit, sarif }: ReportOptions): boolean {
  return junit !== undefined || sarif !== undefined;
}

/**
 * Returns the command line, as the source of `--help`, completion and the manual page. With `asked`, only this command
 * is defined, for a faster start.
 */
export function program(asked?: string): Command {
  const live = SESSION_COMMANDS.filter(({ name }) => name === asked);
  const root = new Command('mcp-record')
    .description('Record and replay Model Context Protocol sessions.')
    .version(packageVersion())
    .usage('<command> [options]')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => {} });
  for (const { name, summary, examples, describe, load } of live.length > 0 ? live : COMMANDS) {
    const command = describe(
      new Command(name).summary(summary).description(summary).copyInheritedSettings(root),
    ).addHelpText('after', examples.map((line) => `\nExample:\n  ${exampleLines(line)}\n`).join(''));
    command.action(async () => {
      requireMeaning(command);
      const options = command.opts<ReportOptions>();
      if (hasReportFile(options)) (await import('./reports/error-in-reports.ts')).removeOldReports(options);
      process.exitCode = await (await load()).run(command);
    });
    root.addCommand(command);
  }
  return root;
}

const HELP_COLUMNS = 80;

/** Returns an example as a shell takes it, in lines that fit a terminal: one that is longer goes on before an option, or before a file that takes its output. */
function exampleLines(example: string): string {
  const lines = [''];
  for (const part of `mcp-record ${example}`.split(/ (?=[->])/)) {
    const line = lines.at(-1)!;
    const longer = line === '' ? part : `${line} ${part}`;
    // The indentation, and what continues the line.
    if (line !== '' && longer.length > HELP_COLUMNS - '    '.length - ' \\'.length) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines.join(' \\\n    ');
}

/** Returns the next step after a redaction option of a command that redacts nothing. Undefined: it is another error. */
function redactFirst(message: string): string | undefined {
  const flag = unknownFlag(message);
  const redact = program().commands.find((one) => one.name() === 'redact');
  if (flag === undefined || !flag.startsWith('--redact-') || !redact?.options.some(({ long }) => long === flag))
    return undefined;
  return 'This command redacts nothing. Redact the cassette first: mcp-record redact --redact-rules FILE CASSETTE.';
}

function unknownFlag(message: string): string | undefined {
  return /unknown option '(--[^'=]+)/.exec(message)?.[1];
}

/** Returns the commands that have the unknown option of an error, in a sentence. Empty: no command has it. */
function commandsWithOption(message: string): string {
  const flag = unknownFlag(message);
  const names = program().commands.flatMap((one) =>
    one.options.some(({ long }) => long === flag) ? [one.name()] : [],
  );
  if (flag === undefined || names.length === 0) return '';
  const overControl = FAULT_FLAGS.has(flag) ? ' A mock server with --control takes faults over HTTP: PUT /faults.' : '';
  return `${flag} is an option of ${names.join(', ')}.${overControl}`;
}

const FAULT_FLAGS: ReadonlySet<string> = new Set(['--fault', '--faults']);

/**
 * Returns the error for an unknown option in `words` instead of one for a missing option. Commander checks for missing
 * options first, and reads nothing after an unknown one, so that the missing option may stand there.
 */
function unknownOptionFirst(error: CommanderError, command: Command | undefined, words: readonly string[]) {
  if (error.code !== 'commander.missingMandatoryOptionValue' || command === undefined) return error;
  if (command.parseOptions([...words]).unknown.length === 0) return error;
  for (const option of command.options) option.makeOptionMandatory(false);
  try {
    command.parse([...words], { from: 'user' });
  } catch (unknown) {
    if (unknown instanceof CommanderError) return unknown;
  }
  return error;
}

/** Returns a usage error with the next step, or undefined for help and version, which commander prints. */
function usageError(error: CommanderError): McpRecordError | undefined {
  if (error.exitCode === 0) return undefined;
  const asksForCommand = error.code === 'commander.help';
  const [what, ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  return new McpRecordError({
    code: `USAGE_${error.code
      .replace(/^commander\./, '')
      .replaceAll(/([A-Z])/g, '_$1')
      .toUpperCase()}`,
    what: 'Cannot tell what to do',
    why: asksForCommand ? 'no verb was given' : (what ?? error.message),
    next:
      redactFirst(error.message) ||
      commandsWithOption(error.message) ||
      suggestion.join(' ').replace(/^\((.*)\)$/, '$1') ||
      'mcp-record --help lists the verbs, mcp-record <command> --help the options of one.',
  });
}
