import pc from 'picocolors';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { printableLines } from '../../text-report/printable-text.ts';

/** Exit statuses (docs/cli.md): 0 fine, 1 the thing under test fell short, 2 wrong usage or unreadable input. */
export const EXIT = { ok: 0, fellShort: 1, usage: 2 } as const;

/** Colours for a stream: none unless it is a terminal and NO_COLOR is unset. */
export function coloursFor(stream: { isTTY?: boolean }): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !process.env.NO_COLOR);
}

/**
 * Prints a message on standard error. The session continues if nobody reads it. What peers and cassettes put into the message
 * cannot steer a terminal.
 */
export function say(text: string, paint = (line: string): string => line): void {
  outliveReader(process.stderr);
  process.stderr.write(`mcp-record: ${paint(printableLines(text))}\n`);
}

/** A result, on standard output: all of it, or as much as whoever reads wants, since `show cassette.yaml | head` is no failure. */
export function print(text: string | Uint8Array): Promise<void> {
  outliveReader(process.stdout);
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** A stream without a listener ends the process when nobody reads it any more. One listener serves all that is written. */
function outliveReader(stream: NodeJS.WriteStream): void {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
}

/** Says what went wrong and returns the exit status for it. Only a bug of ours shows a stack. */
export function fail(error: unknown): number {
  const colours = coloursFor(process.stderr);
  if (error instanceof McpRecordError) say(error.message, colours.red);
  else say(error instanceof Error ? (error.stack ?? error.message) : messageOf(error), colours.red);
  return EXIT.usage;
}
