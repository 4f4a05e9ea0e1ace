import pc from 'picocolors';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import type { OutcomePaint } from '../../text-report/check-outcome-text.ts';
import { printableJson, printableLines } from '../../text-report/printable-text.ts';
import { widthOf, wrapWords } from '../terminal/word-wrap.ts';

/** Exit statuses (docs/cli.md): 0 success, 1 a failed check, 2 wrong usage or unreadable input. */
export const EXIT = { ok: 0, fellShort: 1, usage: 2 } as const;

/** Returns the colours for a stream. Only terminals get colours, unless NO_COLOR is set. */
export function coloursFor(stream: { isTTY?: boolean }): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !process.env.NO_COLOR);
}

/** Returns the colours of reports for a stream. Differences have those of git. */
export function outcomePaint(stream: { isTTY?: boolean }): OutcomePaint {
  const { green, red, dim, bold, cyan } = coloursFor(stream);
  return { good: green, bad: red, dim, bold, hunk: cyan };
}

/** Prints a message to standard error. The session continues if the reader is gone. Control characters from peers and cassettes are escaped. */
export function say(text: string, paint = (line: string): string => line): void {
  outliveReader(process.stderr);
  const lines = wrapWords(`mcp-record: ${paint(printableLines(text))}`, widthOf(process.stderr));
  process.stderr.write(`${lines}\n`);
}

/** Prints lines for people to standard output. Those that do not fit the terminal, or `COLUMNS`, are broken between words. */
export function printLines(lines: readonly string[]): Promise<void> {
  return print(`${wrapWords(lines.join('\n'), widthOf(process.stdout))}\n`);
}

let isResultPrinted = false;

/** Reports whether this process has printed a result, or a part of one, to standard output. */
export function hasPrinted(): boolean {
  return isResultPrinted;
}

/**
 * Prints a result to standard output. A reader may close the pipe early, as in `show cassette.yaml | head`, which is
 * not an error.
 */
export function print(text: string | Uint8Array): Promise<void> {
  outliveReader(process.stdout);
  isResultPrinted = true;
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Prints a value as JSON, in several lines. Characters that could steer a terminal are escaped. */
export function printJson(value: unknown): Promise<void> {
  return print(printableJson(`${JSON.stringify(value, undefined, 2)}\n`));
}

/** Prints a document, such as a cassette. A terminal gets the document without control characters. */
export function printDocument(text: string): Promise<void> {
  return print(process.stdout.isTTY ? printableLines(text) : text);
}

/** Ignores write errors of a stream. Without a listener, a closed pipe would end the process. */
function outliveReader(stream: NodeJS.WriteStream): void {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
}

/** Prints an error and returns its exit status. Only internal errors show a stack. */
export function fail(error: unknown, redact: (text: string) => string = String): number {
  const text = error instanceof Error && !(error instanceof McpRecordError) ? error.stack : undefined;
  say(redact(text ?? messageOf(error)), coloursFor(process.stderr).red);
  return EXIT.usage;
}
