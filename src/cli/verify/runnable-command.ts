import {
  exportableName,
  type Placeholder,
  placeholderOf,
  placeholdersIn,
} from '../../redact/replace/placeholder-format.ts';
import { applyEdits } from '../../redact/replace/text-edit.ts';

/**
 * Redacts a command line of POSIX shell words, so that it can still be run: a variable stands for each secret, such as
 * `"$GITHUB_TOKEN"`.
 */
export function runnableCommand(line: string, redact: (text: string) => string): string {
  const redacted = redact(line);
  const edits = placeholdersIn(redacted)
    .filter(({ name, n }) => !line.includes(placeholderOf(name, n)))
    .map((place) => ({ ...place, text: variableAt(place, redacted) }));
  return applyEdits(redacted, edits);
}

/** Returns the variable of a secret in double quotes, outside of the single quotes around it. */
function variableAt({ name, start }: Placeholder, line: string): string {
  const variable = `"$${exportableName(name)}"`;
  // Outside of quotes, a backslash escapes a quote.
  const quotes = line.slice(0, start).replaceAll("\\'", '').split("'").length - 1;
  return quotes % 2 === 1 ? `'${variable}'` : variable;
}
