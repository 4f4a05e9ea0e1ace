import { formatCount } from '../../kernel/format-count.ts';
import { type RedactedValue, redactedCount } from './redacted-values.ts';

/** What a test recorded. */
export interface Recording {
  /** The cassette. */
  file: string;
  /** What was redacted in it. Undefined: nothing was to be. */
  redacted: readonly RedactedValue[] | undefined;
  /** Placeholders of values that the client was given as they are; `all`: nothing was taken out of what it was given. */
  seen: ReadonlySet<string> | 'all';
}

/** As many places are named one by one. */
const NAMED_MAX = 20;

const KEEP = "keep the value with redact: { allow: ['…'] }";

/**
 * Says what a test recorded and what was redacted: a sentence for the cassette, and one for each place where the client
 * hears something of the server that is redacted.
 */
export function recordingNotes({ file, redacted, seen }: Recording): string[] {
  if (redacted === undefined) return [`${file} was recorded: with redact: false, secrets are in it.`];
  const heard = redacted.filter(({ from, pointer }) => from === 'server' && pointer !== undefined);
  const named = heard.slice(0, NAMED_MAX).map((value) => {
    const { placeholder, line, where, pointer } = value;
    const what = `${file}:${line} ${where} has ${placeholder} at ${pointer}.`;
    return seen === 'all' || seen.has(placeholder)
      ? `${what} The client was given the value itself: on replay it is the placeholder. Assert on something else, or ${KEEP}.`
      : `${what} The client was given this placeholder, as it is on replay: assert on it or on something else, or ${KEEP}.`;
  });
  const more = heard.length - named.length;
  const kinds = [...new Set(redacted.map(({ kind }) => kind))].join(', ');
  return [
    `${file} was recorded: ${redactedCount(redacted)}${kinds && ` (${kinds})`}.`,
    ...named,
    ...(more > 0 ? [`${formatCount(more, 'more place')} of what the server said: mcp-record show ${file}`] : []),
  ];
}
