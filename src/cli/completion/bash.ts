import type { CommandLineModel, CommandModel, OptionModel } from './command-line-model.ts';

/** Returns the completion script for bash 3.2 and later. Without own candidates, bash completes file names. */
export function bashScript({ commands }: CommandLineModel): string {
  return `# bash completion for mcp-record
_mcp_record() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]} words= i
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=( $(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$cur") )
    return
  fi
  # After -- stands a command, which is not ours.
  for (( i = 2; i < COMP_CWORD; i++ )); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then
      (( i == COMP_CWORD - 1 )) && COMPREPLY=( $(compgen -c -- "$cur") )
      return
    fi
  done
  # To bash, --option=value is three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  case $verb:$prev in
${commands.flatMap(valueCases).join('\n')}
  esac
  case $verb in
${commands.map(commandCase).join('\n')}
  esac
  if [[ $cur == -* ]] || [[ $words == \\ * ]]; then
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  fi
}
complete -o default -F _mcp_record mcp-record
`;
}

/** Returns the cases for options with a value: its words, or a file. */
function valueCases({ name, options }: CommandModel): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ long, short, values }) => {
      const patterns = [long, short].filter((option) => option !== undefined);
      const reply = values.length > 0 ? `COMPREPLY=( $(compgen -W "${values.join(' ')}" -- "$cur") ); ` : '';
      return `    ${patterns.map((option) => `${name}:${option}`).join('|')}) ${reply}return ;;`;
    });
}

/** Returns the case of a command. A leading blank makes the words of its first argument complete at once. */
function commandCase({ name, options, words }: CommandModel): string {
  const first = words.length > 0 ? ` ${words.join(' ')} ` : '';
  return `    ${name}) words="${first}${options.map(longOf).join(' ')}" ;;`;
}

function longOf({ long }: OptionModel): string {
  return long;
}
