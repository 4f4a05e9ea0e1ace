import type { SecretMatch } from '../replace/secret-match.ts';
import { credentialNamed } from './credential-names.ts';
import { isPlausible, looksGenerated } from './plausibility.ts';

const NAME = String.raw`\b(?:name|key|id|type|field|label|header|column|param|parameter|setting)\\*["']?\s?[=:]\s?\\*["'](?<name>[\w.: -]{1,64})\\*["']`;
const DEEPER = String.raw`(?<deeper>\[|\{\s?\\*["']string_?value\\*["']\s?:)?`;
const VALUE = String.raw`\bval(?:ues?)?\\*["']?\s?[=:]\s?${DEEPER}\s?\\*["'](?<value>[^"'<>\\]{1,4096})`;
const BETWEEN = '[^<>{}]{0,512}?';
const PAIRS = [new RegExp(NAME + BETWEEN + VALUE, 'dgi'), new RegExp(VALUE + BETWEEN + NAME, 'dgi')];

// Field of a multipart form (RFC 7578 §4.2), and bold Markdown name before a value.
const PART =
  /\bname="(?<name>[\w.-]{1,64})"(?:\r?\n[\w-]{1,40}: [^\r\n]{0,200}){0,4}\r?\n\r?\n(?<value>[^\r\n]{1,4096})/dgi;
const BOLD =
  /(?:\*\*|__)(?<name>[A-Za-z][\w .-]{1,63}?)(?::(?:\*\*|__)|(?:\*\*|__):)[ \t]{1,4}["'`]?(?<value>[^\s"'`*\\]{6,4096})/dgi;

/**
 * Finds secrets in name-value pairs: `<add key="ApiKey" value="…">`, and JSON such as `{"name":"API_KEY","value":"…"}`
 * in text.
 */
export function nameValueAttributes(text: string): SecretMatch[] {
  return [
    ...(/val/i.test(text) ? PAIRS.flatMap((pair) => found(text, pair)) : []),
    ...(text.includes('name="') ? found(text, PART) : []),
    ...found(text, BOLD).filter(({ start, end }) => looksGenerated(text.slice(start, end))),
  ];
}

function found(text: string, pattern: RegExp): SecretMatch[] {
  return [...text.matchAll(pattern)].flatMap(({ groups, indices }) => {
    const { name = '', value = '', deeper } = groups ?? {};
    const named = credentialNamed(name);
    const certainty = named && deeper ? 'if made' : named;
    if (certainty === undefined || !isPlausible(value, certainty)) return [];
    const [start, end] = indices!.groups!.value!;
    return [{ name, start, end }];
  });
}
