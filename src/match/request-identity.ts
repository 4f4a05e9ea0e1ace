import { locate } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isObject, type Params } from '../protocol/message.ts';
import { identityParams } from '../protocol/method-rules.ts';
import { canonicalJson } from './canonical-json.ts';
import { exactValue } from './exact-numbers.ts';
import { type Ignore, without } from './ignore-rules.ts';

/** What is compared when two requests or notifications are matched: the method and the params that identify it. */
export interface Identity {
  method: string;
  params: Params;
  /** Equal for equal identities only: an index by key finds a recorded request without a scan. */
  key: string;
}

/** The identity of the request or notification in `json`, less what `ignore` names. Its method is never ignored. */
export function identityOf(json: JsonText, ignore: readonly Ignore[] = []): Identity {
  const method = String(isObject(json.value) ? json.value.method : undefined);
  const message = exactValue(json);
  const params = isObject(message) ? shallow(method, without(message, ignore)) : deep(json);
  return { method, params, key: `${method} ${canonicalJson(params)}` };
}

function shallow(method: string, message: unknown): Params {
  const params = isObject(message) ? message.params : undefined;
  if (isObject(params)) return identityParams(method, params);
  // Some libraries send null for absent params. Lists and texts are invalid params but still compared.
  return params === undefined || params === null ? {} : { params };
}

/** Params that are too deep to be walked equal those that are spelt alike. */
function deep({ text }: JsonText): Params {
  const span = locate(text, ['params']);
  return { text: text.slice(span?.start, span?.end) };
}
