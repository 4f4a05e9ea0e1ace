import type { Command } from 'commander';
import type { CommandDefinition } from './command-definitions/command-definition.ts';

/** Exit statuses and their meaning. docs/cli.md has the details. */
const STATUSES: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'Fine.'],
  ['1', 'A check failed: a miss, a difference, a broken rule, a secret.'],
  ['2', 'Wrong usage, or input that cannot be read.'],
  ['74', 'record: the session succeeded, but its cassette is incomplete.'],
  ['126, 127', 'record: the command cannot be started, or does not exist.'],
  ['other', 'record, replay: the status of the server, or 128 plus the number of the signal that ended it.'],
];

const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ['MCP_RECORD', 'The mode of recorded tests: auto, replay, record, new or passthrough.'],
  [
    'MCP_RECORD_REDACT_RULES',
    'File of redaction rules that all commands and recorded tests use. Clients may not pass it on to a command that they start.',
  ],
  ['CI', 'If set, recorded tests replay and record nothing.'],
  ['NO_COLOR', 'If set, output has no colours.'],
  ['COLUMNS', 'Width of the output of show, if standard output is not a terminal.'],
  ['HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'The web proxy for connections to servers.'],
];

/** Returns the manual page mcp-record(1) as man(7) source, derived from `--help`. */
export function manPage(root: Command, definitions: readonly CommandDefinition[]): string {
  return [
    `.TH MCP-RECORD 1 "" "mcp-record ${root.version() ?? ''}" "User Commands"`,
    '.SH NAME',
    'mcp\\-record \\- record and replay Model Context Protocol sessions',
    '.SH SYNOPSIS',
    '.B mcp\\-record',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    escaped(DESCRIPTION),
    '.SH COMMANDS',
    ...root.commands.flatMap((command) => commandLines(command, definitions)),
    '.SH EXIT STATUS',
    ...STATUSES.flatMap(entry),
    '.SH ENVIRONMENT',
    ...VARIABLES.flatMap(entry),
    '',
  ].join('\n');
}

const DESCRIPTION =
  'A recorder sits between a real MCP client and a real MCP server and writes the whole session to one YAML file. Played back, that file is the server, or the client.';

/** Default of an empty list, which is not shown. */
const NOTHING = / \(default: \[\]\)$/;

function commandLines(command: Command, definitions: readonly CommandDefinition[]): string[] {
  const help = command.createHelp();
  const examples = definitions.find(({ name }) => name === command.name())?.examples ?? [];
  const usage = help.commandUsage(command).replace(/^mcp-record /, '');
  return [
    `.SS ${escaped(usage)}`,
    escaped(`${capitalized(command.summary())}.`),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .flatMap((option) => entry([help.optionTerm(option), help.optionDescription(option).replace(NOTHING, '')])),
    ...(examples.length > 0 ? ['.PP', '.nf', ...examples.map((line) => escaped(`mcp-record ${line}`)), '.fi'] : []),
  ];
}

function entry([term, meaning]: readonly [string, string]): string[] {
  return ['.TP', `.B ${escaped(term)}`, escaped(meaning)];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Escapes text for man(7): dashes are kept, and no line starts with a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', '\\(cq')
    .replace(/^(?=[.'])/, '\\&');
}
