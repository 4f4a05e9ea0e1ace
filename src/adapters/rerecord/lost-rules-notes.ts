import type { EventMatch } from '../../cassette/cassette.ts';
import { messageOf } from '../../kernel/errors.ts';
import { failureRedactor } from '../../record/redact-file/project-redactor.ts';

/** A rule of a replaced cassette that the new recording lacks. */
export interface LostRule {
  match: EventMatch;
  /** Line in the replaced cassette. */
  line: number;
  /** Title of the message beside which it was written. */
  title?: string;
  why: string;
}

/** Maximum number of rules or lines that a note lists. */
const LISTED_MAX = 10;

/** Returns a note on rules that the new recording lacks. */
export function lostRulesNote(file: string, lost: readonly LostRule[]): string[] {
  if (lost.length === 0) return [];
  const redactor = failureRedactor();
  const rules = lost.slice(0, LISTED_MAX).map(({ match, line, title, why }) => {
    const where = title === undefined ? `line ${line}` : `line ${line}, ${title}`;
    return `${where}: match: ${redactor.text(JSON.stringify(match))} (${why})`;
  });
  if (lost.length > LISTED_MAX) rules.push(`and ${lost.length - LISTED_MAX} more`);
  const [these, them, messages] =
    lost.length === 1 ? ['this rule', 'it', 'message'] : [`these ${lost.length} rules`, 'them', 'messages'];
  return [
    `${file} was recorded again, without ${these} of the replaced file: ${rules.join('; ')}. If you still need ${them}, write ${them} beside the new ${messages}.`,
  ];
}

/** Returns a note on rules that could not be carried over to the new recording. */
export function unreadRulesNote(file: string, error: unknown): string {
  return `${file} was recorded again, without the rules (match) of the replaced file, which could not be carried over: ${messageOf(error).split('\n', 1)[0]}`;
}

/** Returns a note on comments that the new recording lacks. */
export function lostCommentsNote(file: string, comments: readonly { line: number }[]): string[] {
  if (comments.length === 0) return [];
  const lines = comments.slice(0, LISTED_MAX).map(({ line }) => line);
  const more = comments.length > LISTED_MAX ? ' and more' : '';
  return [`${file} was recorded again, without the comments of the replaced file: line ${lines.join(', ')}${more}.`];
}
