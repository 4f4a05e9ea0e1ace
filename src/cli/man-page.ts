import type { Command } from 'commander';
import type { CommandDefinition } from './command-definitions/command-definition.ts';

/** Exit statuses and their meaning. docs/cli.md has the details. */
const STATUSES: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'Fine.'],
  ['1', 'What was tested fell short: a miss, a difference, a broken rule, a secret.'],
  ['2', 'Wrong usage, or input that cannot be read.'],
  ['74', 'record: the session went well, but the cassette fell short.'],
  ['126, 127', 'record: the command cannot be started, or is not there.'],
  ['other', 'record, replay: that of the server; 128 and the number of the signal that ended it.'],
];

const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ['MCP_RECORD', 'The mode of recorded tests: auto, replay, record, new or passthrough.'],
  ['CI', 'Where it is set, recorded tests replay and record nothing.'],
  ['NO_COLOR', 'Where it is set, nothing is coloured.'],
  ['COLUMNS', 'How wide show prints, where standard output is no terminal.'],
  ['HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'The web proxy by which servers are reached.'],
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
