import { isJson, JsonText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';

/** Parses a message in a log. Undefined: the text is not a complete JSON object. */
export function loggedMessage(text: string): JsonText | undefined {
  const json = new JsonText(text.trim());
  return isJson(json) && isObject(json.value) ? json : undefined;
}
