/** Returns the end of what a command said. */
export function lastLines(stderr: string): string {
  return stderr.trim().split('\n').slice(-3).join('\n    ');
}
