import { canonicalJson } from '../match/canonical-json.ts';
import { type Difference, describeDifference, differences } from '../match/json-difference.ts';
import { isObject } from '../protocol/message.ts';

const SHOWN_MAX = 3;

/** Describes the differences of an answer or a notification in one line. Empty: the values match. */
export function differenceWords(recorded: unknown, live: unknown): string {
  const [before, after] = [errorOf(recorded), errorOf(live)];
  if (after && !before) return `error ${after} instead of a result`;
  if (before && !after) return `a result instead of error ${before}`;
  const found = differences(recorded, live);
  const more = found.length > SHOWN_MAX ? ` and ${found.length - SHOWN_MAX} more` : '';
  return found.slice(0, SHOWN_MAX).map(words).join(', ') + more;
}

/** Formats the error of a message: `-32602 "Unknown tool"`. */
function errorOf(message: unknown): string | undefined {
  if (!isObject(message) || !isObject(message.error)) return undefined;
  return `${message.error.code} ${brief(message.error.message)}`;
}

function words(difference: Difference): string {
  const { path, recorded, live } = difference;
  if (path === '/error/code') return `error code ${canonicalJson(recorded)} → ${canonicalJson(live)}`;
  if (recorded === undefined) return `${path} is new: ${brief(live)}`;
  if (live === undefined) return `${path} is gone: was ${brief(recorded)}`;
  if (typeof recorded !== 'string' || typeof live !== 'string') return describeDifference(difference);
  const [before, after] = apart(recorded, live);
  return `${path} (${before} → ${after})`;
}

const BRIEF_LENGTH = 40;

function brief(value: unknown): string {
  const text = canonicalJson(value);
  return text.length > BRIEF_LENGTH ? `${text.slice(0, BRIEF_LENGTH)}…` : text;
}

/** Length of the common text shown before the first difference. */
const CONTEXT_LENGTH = 12;

/** Returns both texts from their first difference on. Long texts usually begin alike. */
function apart(recorded: string, live: string): [string, string] {
  let same = 0;
  while (same < recorded.length && recorded[same] === live[same]) same++;
  const start = same > BRIEF_LENGTH - CONTEXT_LENGTH ? same - CONTEXT_LENGTH : 0;
  const shown = (text: string) => {
    const end = start + BRIEF_LENGTH;
    return `"${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}"`;
  };
  return [shown(recorded), shown(live)];
}
