import { isJson, JsonText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';

/** Returns the message in a text of a log. Undefined: it is no whole JSON object. */
export function loggedMessage(text: string): JsonText | undefined {
  const json = new JsonText(text.trim());
  return isJson(json) && isObject(json.value) ? json : undefined;
}
