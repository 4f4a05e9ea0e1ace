import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import type { Span } from '../../protocol/json-scan.ts';
import { isCredentialVariable } from '../detect/credential-names.ts';
import { placeholderOf, placeholdersIn } from './placeholder-format.ts';
import { applyEdits } from './text-edit.ts';

const NAME_LENGTH_MAX = 48;

/** Returns `name` in the form allowed in a placeholder: letters, digits, `_`, `.` and `-`, with a maximum length. */
export function placeholderName(name: string): string {
  const plain = name.replace(/^\W+|\W+$/g, '').replace(/[^\w.-]+/g, '-');
  return plain.slice(0, NAME_LENGTH_MAX) || 'secret';
}

/** Returns a text with other placeholders. */
export function renamePlaceholders(text: string, changes: ReadonlyMap<string, string>): string {
  const edits = placeholdersIn(text).flatMap(({ start, end, name, n }) => {
    const fresh = changes.get(placeholderOf(name, n));
    return fresh === undefined ? [] : [{ start, end, text: fresh }];
  });
  return edits.length === 0 ? text : applyEdits(text, edits);
}

/** Returns the spans that do not split a placeholder. A span may contain a complete one. */
export function sparing<T extends Span>(placeholders: readonly Span[], spans: readonly T[]): readonly T[] {
  if (placeholders.length === 0) return spans;
  return spans.filter((span) => {
    const near = placeholders[firstEndingAfter(placeholders, span.start)];
    const last = placeholders[firstEndingAfter(placeholders, span.end - 1)];
    return !cuts(span, near) && !cuts(span, last);
  });
}

/** Returns the index of the first placeholder that ends after `at`. The placeholders must be in order. */
function firstEndingAfter(placeholders: readonly Span[], at: number): number {
  return firstWhere(placeholders.length, (index) => placeholders[index]!.end > at);
}

function cuts(span: Span, placeholder: Span | undefined): boolean {
  if (placeholder === undefined) return false;
  const { start, end } = placeholder;
  if (span.end <= start || span.start >= end) return false;
  const isWider = span.start <= start && span.end >= end && span.end - span.start > end - start;
  return !isWider;
}

/** Returns the environment variables that placeholders in a text are named after, in order. */
export function variablesIn(text: string): string[] {
  const names = placeholdersIn(text).map(({ name }) => name);
  return names.filter((name) => isVariableName(name) && isCredentialVariable(name));
}

/** Reports whether a placeholder may be named after an environment variable. A rule may have such a name, too. */
export function isVariableName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}
