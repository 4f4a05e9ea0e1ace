import { JSON_DEPTH_MAX } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import { identityNames } from '../protocol/methods.ts';
import { isDeep } from './depth.ts';
import { mayBeRounded } from './exact-number.ts';

/**
 * Whether two requests of `method` have the same identity, found without writing down either, which costs several times
 * as much. False: they may all the same, and their keys decide.
 */
export function areSurelySame(method: string, one: JsonText, other: JsonText): boolean {
  const names = identityNames(method);
  const [ours, theirs] = [paramsOf(one), paramsOf(other)];
  if (names === undefined || ours === undefined || theirs === undefined) return false;
  return names.every((name) => equal(ours[name], theirs[name])) && isWalked(one) && isWalked(other);
}

function paramsOf({ value }: JsonText): Record<string, unknown> | undefined {
  return isObject(value) && isObject(value.params) ? value.params : undefined;
}

/** What is too deep is compared as it is spelt, and numbers that a double cannot hold by their digits. */
function isWalked(json: JsonText): boolean {
  return !mayBeRounded(json.text) && !isDeep(json.value);
}

function equal(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (depth > JSON_DEPTH_MAX || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const has = one as Record<string, unknown>;
  const wants = other as Record<string, unknown>;
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(wants, key) && equal(has[key], wants[key], depth + 1));
}
