import { formatCount } from '../../kernel/format-count.ts';
import { type RedactedValue, redactedCount } from './redacted-values.ts';

/** Recording of a test. */
export interface Recording {
  /** Path of the cassette. */
  file: string;
  /** Values redacted in the cassette. Undefined: redaction was off. */
  redacted: readonly RedactedValue[] | undefined;
  /** Placeholders whose real values the client received; `all` if the client received every value. */
  seen: ReadonlySet<string> | 'all';
  /** Reports whether a placeholder stands for a number. Absent: it is not known. */
  isOfNumber?: ((placeholder: string) => boolean) | undefined;
}

/** Maximum number of places that are listed individually. */
const NAMED_MAX = 20;

const KEEP = "keep the value with redact: { allow: ['…'] }";

/**
 * Describes a recording and its redactions: one sentence for the cassette, then one for each redacted value in the
 * server's messages.
 */
export function recordingNotes({ file, redacted, seen, isOfNumber = () => false }: Recording): string[] {
  if (redacted === undefined) return [`${file} was recorded: with redact: false, secrets are in it.`];
  const heard = redacted.filter(({ from, pointer }) => from === 'server' && pointer !== undefined);
  const named = heard.slice(0, NAMED_MAX).map((value) => {
    const { placeholder, line, where, pointer } = value;
    const what = `${file}:${line} ${where} has ${placeholder} at ${pointer}.`;
    if (isOfNumber(placeholder))
      return `${what} It was a number: a client that requires a number refuses the placeholder while it records. If it is no secret, ${KEEP}.`;
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
