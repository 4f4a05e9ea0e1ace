import { didYouMean } from '../../kernel/did-you-mean.ts';
import { isObject, type Params } from '../../protocol/message.ts';

/** How many letters of a member's name may be wrong. With two, `hasError` would be `isError`. */
const TYPOS_MAX = 1;

/** Says which member of an object is spelt wrong, such as `iserror`; undefined: none. A member that is there is not meant by another. */
export function misspeltMember(value: Params, members: readonly string[]): string | undefined {
  const absent = members.filter((member) => !(member in value));
  for (const name of Object.keys(value)) {
    const meant = members.includes(name) ? undefined : memberLike(name, absent);
    if (meant !== undefined) return `it has no member ${name}: did you mean ${meant}?`;
  }
  return undefined;
}

function memberLike(name: string, members: readonly string[]): string | undefined {
  return didYouMean(name, members, TYPOS_MAX);
}

/** What the value of a member may be, in the words of messages. */
export type MemberKind = 'a string' | 'an object' | 'a list';

function isOfKind(value: unknown, kind: MemberKind): boolean {
  if (kind === 'a string') return typeof value === 'string';
  return kind === 'a list' ? Array.isArray(value) : isObject(value);
}

/** Says which required member an object lacks, or has with another kind of value; undefined: none. */
export function memberProblem(value: Params, required: Readonly<Record<string, MemberKind>>): string | undefined {
  for (const [member, kind] of Object.entries(required)) {
    const given = value[member];
    if (isOfKind(given, kind)) continue;
    if (given !== undefined) return `has a ${member} that is not ${kind}`;
    const written = Object.keys(value).find((name) => !(name in required) && memberLike(name, [member]));
    return `has no ${member} (${kind})${written === undefined ? '' : `: did you mean it by ${written}?`}`;
  }
  return undefined;
}
