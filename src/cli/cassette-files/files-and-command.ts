import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Splits the arguments of a command line: paths, and the command of the server after `--`, which the parser drops.
 * `argv`: the whole command line.
 * @throws McpRecordError USAGE_ONE_SERVER if nothing follows `--`, as after an unset variable of a shell
 */
export function filesAndCommand(
  args: readonly string[],
  argv: readonly string[],
): [files: readonly string[], command: readonly string[]] {
  const dashes = argv.indexOf('--');
  if (dashes >= 0 && dashes === argv.length - 1) throw noCommand();
  const count = dashes < 0 ? args.length : args.length - (argv.length - dashes - 1);
  return [args.slice(0, count), args.slice(count)];
}

function noCommand(): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: 'Cannot tell which server to ask',
    why: 'no command follows --',
    next: 'Write the command of the server after --, or leave -- out. A variable of the shell may be unset.',
  });
}
