import { JsonText } from '../../protocol/json-text.ts';
import { placeholdersIn } from './placeholders.ts';

/** Replaces the message's placeholders by the secrets that `secretOf` returns. Unknown placeholders stay. */
export function revealPlaceholders(json: JsonText, secretOf: (placeholder: string) => string | undefined): JsonText {
  let text = '';
  let from = 0;
  for (const { start, end } of placeholdersIn(json.text)) {
    const secret = secretOf(json.text.slice(start, end));
    if (secret === undefined) continue;
    text += json.text.slice(from, start) + JSON.stringify(secret).slice(1, -1);
    from = end;
  }
  return from === 0 ? json : new JsonText(text + json.text.slice(from));
}
