import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { jsonOf } from '../../protocol/json-text.ts';
import { errorOf, isNotification, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';

/** Maximum number of arrows. Web pages refuse to draw larger diagrams. */
const ARROWS_MAX = 400;
const LABEL_MAX = 80;

/**
 * Formats a session as a Mermaid sequence diagram, which pull requests render: calls, answers, errors, notifications,
 * and the end. A long session is drawn up to {@link ARROWS_MAX} arrows, followed by the number of omitted ones.
 */
export function mermaid({ events }: Cassette): string {
  const entries = eventsToEntries(events);
  const { requestOf } = correlateEntries(entries);
  const lines = entries.flatMap((entry) => lineOf(entry, entries[requestOf.get(entry.index) ?? -1]) ?? []);
  const more = lines.length - ARROWS_MAX;
  return [
    'sequenceDiagram',
    '  participant client',
    '  participant server',
    ...lines.slice(0, ARROWS_MAX),
    ...(more > 0 ? [`  Note over client,server: and ${more} more`] : []),
    '',
  ].join('\n');
}

function lineOf({ from, frame, message }: SessionEntry, request: SessionEntry | undefined): string | undefined {
  const to = from === 'client' ? 'server' : 'client';
  if (isRequest(message)) return `  ${from}->>${to}: ${label(subjectOf(message.method, message.params))}`;
  if (isNotification(message)) return `  ${from}-)${to}: ${label(message.method.replace('notifications/', ''))}`;
  if (isResponse(message)) {
    const asked = request?.message;
    const of = isRequest(asked) ? ` of ${subjectOf(asked.method, asked.params)}` : '';
    const error = errorOf(message);
    if (error !== undefined) {
      return `  ${from}--x${to}: ${label(`error ${text(error.code)}${of}: ${text(error.message)}`)}`;
    }
    const failed = resultOf(message).isError === true;
    return `  ${from}--${failed ? 'x' : '>>'}${to}: ${label(`${failed ? 'failure' : 'result'}${of}`)}`;
  }
  if (frame.kind === 'exit') return `  Note over server: ${label(`exit ${frame.status}`)}`;
  if (frame.kind === 'signal') return `  client-)server: ${label(frame.signal)}`;
  if (frame.kind === 'http-response' && frame.status !== 'sse') return `  server--xclient: HTTP ${frame.status}`;
  if (frame.kind === 'close') return `  Note over ${from}: closes`;
  return undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

/** Invisible characters, and those that turn the direction of writing. Joiners and variants of emoji stay. */
const HIDDEN = /[\u2028\u2029]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Escapes text for Mermaid, whose entities have the form `#35;`. What hides is shown as an escape of JavaScript. */
function label(text: string): string {
  const short = text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX)}…` : text;
  const shown = short.replace(HIDDEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
  return (
    shown.replaceAll(/[#;<>\p{Cc}\p{Cs}]/gu, (char) => (/\s/.test(char) ? ' ' : `#${char.codePointAt(0)};`)) || ' '
  );
}
