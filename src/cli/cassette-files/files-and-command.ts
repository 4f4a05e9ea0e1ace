/**
 * Splits the arguments of a command line: paths, and the command of the server after `--`, which the parser drops.
 * `argv`: the whole command line.
 */
export function filesAndCommand(
  args: readonly string[],
  argv: readonly string[],
): [files: readonly string[], command: readonly string[]] {
  const dashes = argv.indexOf('--');
  const count = dashes < 0 ? args.length : args.length - (argv.length - dashes - 1);
  return [args.slice(0, count), args.slice(count)];
}
