import { elementsOf, isBatch, JsonText } from '../protocol/json-text.ts';

/**
 * Returns a message or batch with each of its messages replaced by what `rewrite` returns for it. Undefined: none is left.
 */
export function rewriteMessages(
  json: JsonText,
  rewrite: (json: JsonText) => JsonText | undefined,
): JsonText | undefined {
  if (!isBatch(json)) return rewrite(json);
  const messages = elementsOf(json);
  const rewritten = messages.map(rewrite);
  if (rewritten.every((one, index) => one === messages[index])) return json;
  const texts = rewritten.flatMap((one) => one?.text ?? []);
  return texts.length === 0 ? undefined : new JsonText(`[${texts.join(',')}]`);
}
