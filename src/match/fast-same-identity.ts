// Fast path. Duplicates: `identityOf` of ./request-identity.ts. Handles: requests with equal texts.
// Gain: `npm run bench -- replay`. Equality test: test/match/fast-same-identity.test.ts.

import { JSON_DEPTH_MAX } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import { identityNames } from '../protocol/method-table.ts';
import { mayBeRounded } from './exact-json-value.ts';
import { isDeeplyNested } from './nesting-depth.ts';

/**
 * Reports whether two requests of `method` have the same identity, at a fraction of the cost of computing both
 * identities. False means undecided: compare their keys.
 */
export function fastSameIdentity(method: string, one: JsonText, other: JsonText): boolean {
  const names = identityNames(method);
  const ours = paramsOf(one);
  const theirs = paramsOf(other);
  if (names === undefined || ours === undefined || theirs === undefined) return false;
  for (const name of names) if (!equal(ours[name], theirs[name])) return false;
  return isWalked(one) && isWalked(other);
}

function paramsOf({ value }: JsonText): Record<string, unknown> | undefined {
  return isObject(value) && isObject(value.params) ? value.params : undefined;
}

/**
 * Reports whether the fast comparison is exact. Messages nested too deep are compared by their spelling, and numbers
 * that a double cannot hold by their digits.
 */
function isWalked({ text, value }: JsonText): boolean {
  return !mayBeRounded(text) && (text.length < SHALLOW_LENGTH || !isDeeplyNested(value));
}

/** Length below which a text cannot nest too deep: each level takes two brackets. */
const SHALLOW_LENGTH = 2 * JSON_DEPTH_MAX;

function equal(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (depth > JSON_DEPTH_MAX || Array.isArray(one) !== Array.isArray(other)) return false;
  const has = one as Record<string, unknown>;
  const wants = other as Record<string, unknown>;
  const keys = Object.keys(has);
  if (keys.length !== Object.keys(wants).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(wants, key) || !equal(has[key], wants[key], depth + 1)) return false;
  }
  return true;
}
