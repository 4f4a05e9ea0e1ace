import type { Command } from 'commander';
import { collect, ignorePatternOption } from './command-definition.ts';

/** Adds the options of a server under test: which answers are compared, and what its client sends. */
export function withServerSweepOptions(command: Command): Command {
  return command
    .option('--ignore <pointer>', 'with --server: do not compare this place (repeatable)', collect, [])
    .option(...ignorePatternOption('any text', 'with --server: '))
    .option(
      '--header <field>',
      'with --server and --http: a header of every request, such as "Authorization: Bearer …" (repeatable)',
      collect,
      [],
    )
    .option('--other-requests', 'with --server and --http: send requests that MCP does not need, too')
    .option(
      '--secrets-from-env <names>',
      'with --server: comma-separated variables that replace the placeholders of the same name',
    );
}
