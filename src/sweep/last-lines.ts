/** Returns the last three lines of a command's standard error, indented for messages. */
export function lastLines(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join('\n    ');
}
