import { isObject } from '../../protocol/message.ts';
import { jsonInText } from './answer-shape.ts';
import { minimizeList } from './minimize-list.ts';

/** Maximum length of a text that is never shortened, such as a name or type. */
const TEXT_MAX = 16;
/** Length to which longer texts are shortened, if empty texts are rejected. */
const TEXT_SHORT = 8;

/**
 * Returns a smaller accepted value: with fewer object members and array items, and with shorter strings. Outer members
 * and items are tried before inner ones.
 */
export async function minimizeValue(value: unknown, accepts: (smaller: unknown) => Promise<boolean>): Promise<unknown> {
  if (typeof value === 'string') return await shorterText(value, accepts);
  if (Array.isArray(value)) {
    const kept = [...(await minimizeList(value, accepts))];
    for (const [index, item] of kept.entries()) {
      kept[index] = await minimizeValue(item, (smaller) => accepts(kept.with(index, smaller)));
    }
    return kept;
  }
  if (!isObject(value)) return value;
  const keys = await minimizeList(Object.keys(value), (some) => accepts(withKeys(value, some)));
  let kept = withKeys(value, keys);
  for (const key of keys) {
    const smaller = await minimizeValue(kept[key], (one) => accepts({ ...kept, [key]: one }));
    kept = { ...kept, [key]: smaller };
  }
  return kept;
}

async function shorterText(text: string, accepts: (smaller: string) => Promise<boolean>): Promise<string> {
  if (text.length <= TEXT_MAX) return text;
  for (const length of [0, TEXT_SHORT]) {
    const shorter = text.slice(0, length);
    if (await accepts(shorter)) return shorter;
  }
  const json = jsonInText(text);
  if (json) return JSON.stringify(await minimizeValue(json, (smaller) => accepts(JSON.stringify(smaller))));
  let shortest = text;
  for (let length = text.length >> 1; length > TEXT_SHORT; length >>= 1) {
    if (!(await accepts(text.slice(0, length)))) return shortest;
    shortest = text.slice(0, length);
  }
  return shortest;
}

function withKeys(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, value[key]]));
}
