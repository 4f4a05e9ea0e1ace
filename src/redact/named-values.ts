import { credentialNamed } from './credential-names.ts';
import type { Find } from './find.ts';
import { isPlausible } from './plausible.ts';

const PAIR =
  /\b(?:name|key|id|type|field|label|header)\\*["']?\s?[=:]\s?\\*["']([\w.: -]{1,64})\\*["'][^<>{}]{0,512}?\bvalue\\*["']?\s?[=:]\s?\\*["']([^"'<>\\]{1,4096})/dgi;

/** Secrets that a name beside them gives away: `<add key="ApiKey" value="…">`, and JSON such as `{"name":"API_KEY","value":"…"}` in text. */
export function namedValues(text: string): Find[] {
  if (!/value/i.test(text)) return [];
  return [...text.matchAll(PAIR)].flatMap((match) => {
    const [, name = '', value = ''] = match;
    const certainty = credentialNamed(name);
    if (certainty === undefined || !isPlausible(value, certainty)) return [];
    const [start, end] = match.indices![2]!;
    return [{ name, start, end }];
  });
}
