import { JsonText } from '../../protocol/json-text.ts';
import { placeholderOf, placeholdersIn } from './placeholder-format.ts';
import { encodedEdits } from './restore-secrets.ts';
import { applyEdits } from './text-edit.ts';

/**
 * Replaces the message's placeholders by the secrets that `secretOf` returns. Unknown placeholders stay. A string that
 * is the placeholder of a number (`isNumber`) becomes the number. Base64 and hexadecimal are searched, too.
 */
export function revealPlaceholders(
  json: JsonText,
  secretOf: (placeholder: string) => string | undefined,
  isNumber: (placeholder: string) => boolean = () => false,
): JsonText {
  let text = '';
  let from = 0;
  for (const { start, end } of placeholdersIn(json.text)) {
    const placeholder = json.text.slice(start, end);
    const secret = secretOf(placeholder);
    if (secret === undefined) continue;
    if (isNumber(placeholder) && isWholeString(json.text, start, end)) {
      text += json.text.slice(from, start - 1) + secret;
      from = end + 1;
      continue;
    }
    text += json.text.slice(from, start) + JSON.stringify(secret).slice(1, -1);
    from = end;
  }
  const plain = text + json.text.slice(from);
  const revealed = applyEdits(
    plain,
    encodedEdits(plain, ({ name, n }) => secretOf(placeholderOf(name, n))),
  );
  return revealed === json.text ? json : new JsonText(revealed);
}

/** Reports whether a part of a JSON text is all that stands between the quotes of a string. */
function isWholeString(text: string, start: number, end: number): boolean {
  return text[start - 1] === '"' && text[end] === '"' && text[start - 2] !== '\\';
}
