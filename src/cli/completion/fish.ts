import type { CommandLineModel, CommandModel, OptionModel } from './command-line-model.ts';

/** Returns the completion script for fish, with descriptions. */
export function fishScript({ commands }: CommandLineModel): string {
  const lines = [
    '# fish completion for mcp-record',
    ...FUNCTIONS,
    `complete -c mcp-record -n __mcp_record_after_dashes -x -a '(__mcp_record_command)'`,
    ...commands.map(
      ({ name, summary }) => `complete -c mcp-record -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

/** Functions that detect the subcommand, and complete a command after `--` as if it stood alone. */
const FUNCTIONS = [
  'function __mcp_record_after_dashes',
  '  contains -- -- (commandline -opc)',
  'end',
  'function __mcp_record_verb',
  '  set -l words (commandline -opc)',
  '  test "$words[2]" = $argv[1]; and not __mcp_record_after_dashes',
  'end',
  'function __mcp_record_command',
  '  set -l words (commandline -opc)',
  '  set -l dashes (contains -i -- -- $words)',
  '  set -l command (string escape -- $words[(math $dashes + 1)..-1]) (commandline -ct)',
  '  complete -C "$command"',
  'end',
];

function linesOf({ name, options, words }: CommandModel): string[] {
  const when = `complete -c mcp-record -n '__mcp_record_verb ${name}'`;
  return [
    ...(words.length > 0 ? [`${when} -f -a ${quoted(words.join(' '))}`] : []),
    ...options.map((option) => `${when} ${optionWords(option)}`),
  ];
}

function optionWords({ long, short, description, takesValue, values }: OptionModel): string {
  return [
    `-l ${long.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(takesValue ? [values.length > 0 ? `-x -a ${quoted(values.join(' '))}` : '-r'] : []),
    `-d ${quoted(description)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
