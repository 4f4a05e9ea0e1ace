import type { Command, Option } from 'commander';

/** Syntax of the command line as shells need it. */
export interface CommandLineModel {
  commands: CommandModel[];
}

export interface CommandModel {
  name: string;
  summary: string;
  options: OptionModel[];
  /** Words that its first argument may be; none: files. */
  words: readonly string[];
}

export interface OptionModel {
  /** With its dashes. */
  long: string;
  short?: string;
  description: string;
  takesValue: boolean;
  /** Words that the value may be; none: a file, or anything. */
  values: readonly string[];
}

/** Words that values of options, by their name without dashes, and first arguments of commands may be. */
export interface Words {
  options: Readonly<Record<string, readonly string[]>>;
  commands: Readonly<Record<string, readonly string[]>>;
}

/** Returns the syntax of `root` and its commands; `words` adds values that commander does not know. */
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
