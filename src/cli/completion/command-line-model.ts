import type { Command, Option } from 'commander';

/** Syntax of the command line for completion scripts. */
export interface CommandLineModel {
  commands: CommandModel[];
}

export interface CommandModel {
  name: string;
  summary: string;
  options: OptionModel[];
  /** Words for the first argument. Empty: files. */
  words: readonly string[];
}

export interface OptionModel {
  /** Name with dashes. */
  long: string;
  short?: string;
  description: string;
  takesValue: boolean;
  /** Words for the value. Empty: a file or free text. */
  values: readonly string[];
}

/** Words for option values (by option name without dashes) and for first arguments of commands. */
export interface Words {
  options: Readonly<Record<string, readonly string[]>>;
  commands: Readonly<Record<string, readonly string[]>>;
}

/** Returns the syntax of `root` and its commands. `words` adds values unknown to commander. */
export function commandLineModel(root: Command, words: Words): CommandLineModel {
  return {
    commands: root.commands.map((command) => ({
      name: command.name(),
      summary: command.summary(),
      options: [...command.options, ...help(command)].map((option) => optionOf(option, words)),
      words: words.commands[command.name()] ?? [],
    })),
  };
}

function help(command: Command): Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === '--help');
}

function optionOf({ long, short, description, required, optional }: Option, words: Words): OptionModel {
  const takesValue = required || optional;
  return {
    long: long ?? '',
    ...(short && { short }),
    description,
    takesValue,
    values: takesValue ? (words.options[(long ?? '').slice(2)] ?? []) : [],
  };
}
