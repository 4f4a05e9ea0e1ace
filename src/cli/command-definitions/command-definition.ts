import type { Command } from 'commander';

/** A command: its syntax is loaded at once, its code only when it runs, so that no command loads another's imports. */
export interface CommandDefinition {
  name: string;
  summary: string;
  /** Arguments in examples of use, without the program's name. At least one. */
  examples: readonly string[];
  describe(command: Command): Command;
  load(): Promise<{ run(command: Command): Promise<number> }>;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

/** Arguments of `Command.option` for the URL of a running server. */
export const HTTP_OPTION: [flags: string, description: string] = [
  '--http <url>',
  'instead of a command: the MCP endpoint of a running server',
];

/** Arguments of `Command.option` for the certificates of a server. */
export const CA_OPTION: [flags: string, description: string] = [
  '--ca <file>',
  'with --http: additional trusted certificates (PEM)',
];

/** Adds the options for a server under test over HTTP. */
export function withHttpServer(command: Command): Command {
  return command
    .option(...HTTP_OPTION)
    .option('--header <header>', "with --http: 'Name: value' for every request (repeatable)", collect, [])
    .option(...CA_OPTION);
}

type RepeatableOption = [
  flags: string,
  description: string,
  collect: (value: string, values: readonly string[]) => string[],
  initial: string[],
];

/** Returns the arguments of `Command.option` for `--allow-notification`. */
export function allowNotificationOption(): RepeatableOption {
  const description = 'let the server send this notification although the cassette does not have it (repeatable)';
  return ['--allow-notification <method>', description, collect, []];
}

/** Returns the arguments of `Command.option` for `--ignore-pattern`. `texts`: where the expression is applied. */
export function ignorePatternOption(texts = 'any text', condition = ''): RepeatableOption {
  const description = `${condition}ignore what this regular expression matches in ${texts}, such as a date (repeatable)`;
  return ['--ignore-pattern <regex>', description, collect, []];
}

/** Adds the options that say which changes fail, and whom they break. */
export function withChangeOptions(command: Command): Command {
  return command
    .option('--fail-on <what>', 'which differences fail: any, breaking, or used (by a cassette)', 'any')
    .option('--used-by <pattern>', 'cassettes of clients: say which of them a change breaks (repeatable)', collect, []);
}
