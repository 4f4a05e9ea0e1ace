import type { JsonText } from '../protocol/json-text.ts';
import { isObject, type Params } from '../protocol/message.ts';
import { identityParams } from '../protocol/methods.ts';
import { canonical } from './canonical.ts';
import { exactValue } from './exact-number.ts';
import { type Pointer, without } from './ignore.ts';

/** What is compared when two requests or notifications are matched: the method and the params that identify it. */
export interface Identity {
  method: string;
  params: Params;
  /** Equal for equal identities only: an index by key finds a recorded request without a scan. */
  key: string;
}

/** The identity of the request or notification in `json`, less what `ignore` names. */
export function identityOf(json: JsonText, ignore: readonly Pointer[] = []): Identity {
  const message = without(exactValue(json), ignore);
  const { method, params } = isObject(message) ? message : {};
  const identity = identityParams(String(method), isObject(params) ? params : undefined);
  return { method: String(method), params: identity, key: `${method} ${canonical(identity)}` };
}
