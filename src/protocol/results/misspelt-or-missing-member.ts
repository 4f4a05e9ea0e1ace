import { didYouMean } from '../../kernel/did-you-mean.ts';
import { isObject, type Params } from '../message.ts';

/** Maximum number of wrong letters in a member's name. With two, `hasError` would resemble `isError`. */
const TYPOS_MAX = 1;

/**
 * Returns the problem of a misspelt member, such as `iserror`. Undefined: no member is misspelt. Only absent members
 * are suggested.
 */
export function misspeltMember(value: Params, members: readonly string[]): string | undefined {
  for (const name of Object.keys(value)) {
    if (members.includes(name)) continue;
    const absent = members.filter((member) => !(member in value));
    const meant = memberLike(name, absent);
    if (meant !== undefined) return `it has no member ${name}: did you mean ${meant}?`;
  }
  return undefined;
}

function memberLike(name: string, members: readonly string[]): string | undefined {
  return didYouMean(name, members, TYPOS_MAX);
}

/** Kind of a member's value, as worded in messages. */
export type MemberKind = 'a string' | 'a number' | 'an object' | 'a list';

function isOfKind(value: unknown, kind: MemberKind): boolean {
  if (kind === 'a string') return typeof value === 'string';
  if (kind === 'a number') return typeof value === 'number';
  return kind === 'a list' ? Array.isArray(value) : isObject(value);
}

/**
 * Returns the problem of a required member that is missing or has another kind of value. Undefined: all required
 * members are valid.
 */
export function memberProblem(value: Params, required: Readonly<Record<string, MemberKind>>): string | undefined {
  for (const member of Object.keys(required)) {
    const kind = required[member]!;
    const given = value[member];
    if (isOfKind(given, kind)) continue;
    if (given !== undefined) return `has a ${member} that is not ${kind}`;
    const written = Object.keys(value).find((name) => !(name in required) && memberLike(name, [member]));
    return `has no ${member} (${kind})${written === undefined ? '' : `: did you mean it by ${written}?`}`;
  }
  return undefined;
}
