import type { Command } from 'commander';

/** A verb: its syntax now, its code when it runs, so that no verb pays for another's imports. */
export interface Verb {
  name: string;
  summary: string;
  describe(command: Command): Command;
  load(): Promise<{ run(command: Command): Promise<number> }>;
}

/** Gathers the values of an option that may be given more than once. */
export function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

/** A line of help that shows the verb in use. */
export function example(line: string): string {
  return `\nExample:\n  mcp-record ${line}\n`;
}
