import { locate } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isObject, type Params } from '../protocol/message.ts';
import { identityParams } from '../protocol/method-table.ts';
import { canonicalJson } from './canonical-json.ts';
import { exactValue } from './exact-json-value.ts';
import { type Ignore, type Pointer, without } from './ignore-rules.ts';

/** JSON Pointer of the state that a retried call returns. The server chooses it anew in every run. */
export const REQUEST_STATE: Pointer = '/params/requestState';

/** Method and identifying params of a request or notification, compared during matching. */
export interface Identity {
  method: string;
  params: Params;
  /** Key that is equal for equal identities only, so that an index finds a recorded request without a scan. */
  key: string;
}

/**
 * Returns the identity of the request or notification in `json`, without the parts that `ignore` names. The method is
 * never ignored.
 */
export function identityOf(json: JsonText, ignore: readonly Ignore[] = []): Identity {
  const method = String(isObject(json.value) ? json.value.method : undefined);
  const message = exactValue(json);
  const params = isObject(message) ? shallow(method, without(message, ignore)) : deep(json);
  return { method, params, key: `${method} ${canonicalJson(params)}` };
}

/**
 * Returns the key of what a request asks, without the state that its server chose. It compares sessions in which
 * servers or handlers gave different states.
 */
export function askedKey(json: JsonText): string {
  return identityOf(json, WITHOUT_STATE).key;
}

const WITHOUT_STATE: readonly Ignore[] = [REQUEST_STATE];

function shallow(method: string, message: unknown): Params {
  const params = isObject(message) ? message.params : undefined;
  if (isObject(params)) return identityParams(method, params);
  // Some libraries send null for absent params. Lists and texts are invalid params but still compared.
  return params === undefined || params === null ? {} : { params };
}

/** Returns the text of params that are nested too deep to be walked. They are equal only if spelt alike. */
function deep({ text }: JsonText): Params {
  const span = locate(text, ['params']);
  return { text: text.slice(span?.start, span?.end) };
}
