import { credentialNamed } from './credential-names.ts';
import type { Find } from './find.ts';
import { isPlausible } from './plausible.ts';

const NAME = String.raw`\b(?:name|key|id|type|field|label|header)\\*["']?\s?[=:]\s?\\*["'](?<name>[\w.: -]{1,64})\\*["']`;
const VALUE = String.raw`\bvalue\\*["']?\s?[=:]\s?\\*["'](?<value>[^"'<>\\]{1,4096})`;
const BETWEEN = '[^<>{}]{0,512}?';
const PAIRS = [new RegExp(NAME + BETWEEN + VALUE, 'dgi'), new RegExp(VALUE + BETWEEN + NAME, 'dgi')];

/** Secrets that a name beside them gives away: `<add key="ApiKey" value="…">`, and JSON such as `{"name":"API_KEY","value":"…"}` in text. */
export function namedValues(text: string): Find[] {
  if (!/value/i.test(text)) return [];
  return PAIRS.flatMap((pair) => [...text.matchAll(pair)]).flatMap(({ groups, indices }) => {
    const { name = '', value = '' } = groups ?? {};
    const certainty = credentialNamed(name);
    if (certainty === undefined || !isPlausible(value, certainty)) return [];
    const [start, end] = indices!.groups!.value!;
    return [{ name, start, end }];
  });
}
