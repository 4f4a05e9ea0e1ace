import type { Header } from '../cassette/cassette.ts';
import type { Frame } from '../channel/frame.ts';
import { instantOf } from '../kernel/clock.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';

/** Session of another tool, as far as a cassette can represent it. */
export interface ConvertedSession {
  header: Pick<Header, 'transport' | 'recorded' | 'url'>;
  /** Frames in the order of transmission. */
  frames: Frame[];
  /** Contents of the file that a cassette cannot hold, as sentences for the caller to show. */
  lost: string[];
}

/** Input file. */
export interface Input {
  /** Path as the user gave it. */
  file: string;
  text: string;
}

/** Returns the error for a malformed file. `line` counts from 1. */
export function badInput({ file }: Input, why: string, line?: number): McpRecordError {
  return new McpRecordError({
    code: 'CONVERT_BAD_INPUT',
    what: `Cannot convert ${line === undefined ? file : `${file}:${line}`}`,
    why,
    next: 'Correct the file, or name its format with --from. docs/convert.md describes what each format needs.',
  });
}

/**
 * Parses a file with a single JSON text.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function jsonOf(input: Input): unknown {
  try {
    return JSON.parse(input.text);
  } catch (error) {
    throw badInput(input, messageOf(error));
  }
}

/** Returns the URL without possible credentials. Empty for an invalid URL. */
export function plainUrl(url: string): Pick<Header, 'url'> {
  if (!URL.canParse(url)) return {};
  const { origin, pathname } = new URL(url);
  return { url: origin + pathname };
}

/** Returns the time of a recording for the header: in UTC, as exact as the text. Empty: the text is not a time. */
export function recordedAt(text: unknown): Pick<Header, 'recorded'> {
  const instant = instantOf(String(text));
  if (typeof text !== 'string' || Number.isNaN(instant.getTime())) return {};
  return { recorded: instant.toISOString().replace('.000Z', 'Z') };
}
