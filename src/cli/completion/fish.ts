import type { OptionSyntax, Syntax, VerbSyntax } from './syntax.ts';

/** Completion for fish, with descriptions. */
export function fishScript({ verbs }: Syntax): string {
  const lines = [
    '# fish completion for mcp-record',
    ...verbs.map(
      ({ name, summary }) =>
        `complete -c mcp-record -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...verbs.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf({ name, options, words }: VerbSyntax): string[] {
  const when = `complete -c mcp-record -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...(words.length > 0 ? [`${when} -f -a ${quoted(words.join(' '))}`] : []),
    ...options.map((option) => `${when} ${optionWords(option)}`),
  ];
}

function optionWords({ long, short, description, takesValue, values }: OptionSyntax): string {
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
