import type { Command } from 'commander';

/** A command: its syntax now, its code when it runs, so that no command pays for another's imports. */
export interface CommandDefinition {
  name: string;
  summary: string;
  /** What follows the program's name on lines that show the command in use. There is one at least. */
  examples: readonly string[];
  describe(command: Command): Command;
  load(): Promise<{ run(command: Command): Promise<number> }>;
}

/** Gathers the values of an option that may be given more than once. */
export function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}
