import type { CommandLineModel, CommandModel, OptionModel } from './command-line-model.ts';

/** Returns the completion script for zsh, with descriptions. */
export function zshScript({ commands }: CommandLineModel): string {
  return `#compdef mcp-record
# zsh completion for mcp-record
_mcp_record() {
  local -a items
  if (( CURRENT == 2 )); then
    items=(${commands.map(({ name, summary }) => item(name, summary)).join(' ')})
    _describe verb items
    return
  fi
  # After -- stands a command, which is not ours.
  local -i dashes=\${words[(i)--]}
  if (( dashes < CURRENT )); then
    if (( dashes == CURRENT - 1 )); then _command_names -e; else _files; fi
    return
  fi
  local option=$words[CURRENT-1]
  if [[ "$words[CURRENT]" == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case "$words[2]:$option" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$words[2]" in
${commands.map(optionCase).join('\n')}
    esac
    _describe option items
    return
  fi
  case "$words[2]" in
${commands
  .filter(({ words }) => words.length > 0)
  .map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')}; return ;;`)
  .join('\n')}
  esac
  _files
}
compdef _mcp_record mcp-record
`;
}

function valueCases({ name, options }: CommandModel): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ long, short, values }) => {
      const patterns = [long, short].filter((option) => option !== undefined);
      const reply = values.length > 0 ? `compadd -- ${values.join(' ')}` : '_files';
      return `    ${patterns.map((option) => `${name}:${option}`).join('|')}) ${reply}; return ;;`;
    });
}

function optionCase({ name, options }: CommandModel): string {
  return `      ${name}) items=(${options.map(optionItem).join(' ')}) ;;`;
}

function optionItem({ long, description }: OptionModel): string {
  return item(long, description);
}

/** Formats a word and its description for `_describe`. */
function item(word: string, description: string): string {
  const told = description.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
  return `'${word}:${told.replaceAll("'", "'\\''")}'`;
}
