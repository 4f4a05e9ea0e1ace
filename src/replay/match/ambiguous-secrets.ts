import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { placeholderOf, placeholdersIn, variableFor } from '../../redact/replace/placeholder-format.ts';

/** The secrets of one name: their placeholders, and the variables that may hold their values. */
export interface NamedSecrets {
  placeholders: readonly string[];
  variables: readonly string[];
}

/** Returns the secrets of each name of which a session has several, by each of their placeholders. */
export function ambiguousSecrets(entries: readonly SessionEntry[]): Map<string, NamedSecrets> {
  const byName = new Map<string, Map<number, string>>();
  for (const { json } of entries) {
    for (const one of placeholdersIn(json?.text ?? '')) {
      const numbers = byName.get(one.name) ?? new Map<number, string>();
      byName.set(one.name, numbers.set(one.n, variableFor(one)));
    }
  }
  return new Map(
    [...byName].flatMap(([name, numbers]) => {
      if (numbers.size < 2) return [];
      const ordered = [...numbers].sort(([one], [other]) => one - other);
      const placeholders = ordered.map(([n]) => placeholderOf(name, n));
      const secrets = { placeholders, variables: ordered.map(([, variable]) => variable) };
      return placeholders.map((placeholder) => [placeholder, secrets] as const);
    }),
  );
}

/** Returns the placeholders that one side of a session sent before the other. */
export function placeholdersFirstSentBy(side: Side, entries: readonly SessionEntry[]): ReadonlySet<string> {
  const first = new Map<string, Side>();
  for (const { from, json } of entries)
    for (const { name, n } of placeholdersIn(json?.text ?? '')) {
      const placeholder = placeholderOf(name, n);
      if (!first.has(placeholder)) first.set(placeholder, from);
    }
  return new Set([...first].flatMap(([placeholder, from]) => (from === side ? [placeholder] : [])));
}

const LISTED_MAX = 5;

/** Returns the text of a finding: nothing but the order says which of several secrets a live value is. */
export function firstUseText(file: string, { placeholders, variables }: NamedSecrets): string {
  const more = placeholders.length > LISTED_MAX ? ', …' : '';
  const [shown, names] = [placeholders, variables].map((all) => all.slice(0, LISTED_MAX));
  const guess = `The client's first value that fits ${shown!.slice(0, -1).join(', ')} or ${shown!.at(-1)}${more} of ${file} stands for it`;
  const next = `give the values to check which is which: mcp-record replay --secrets-from-env ${names!.join(',')}${more}`;
  return `${guess}, whichever of them it is. Set variables, and ${next}`;
}
