import type { LinearRegex } from '../../kernel/linear-regex.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type Ignore, ignoredExpressions, parsePointer } from '../../match/ignore-rules.ts';
import { type JsonPath, locate, type Span } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { KnownValues } from '../../replay/tokens/ids-in-text.ts';
import { matchesIn } from '../../replay/tokens/values-in-live-texts.ts';
import { type KnownId, withRecordedValues } from '../compare/server-made-values.ts';

export interface KeptValues {
  /** Rules that leave values out of the comparison. */
  ignore: readonly Ignore[];
  /** Live ids that stand for recorded ones. */
  ids?: readonly KnownId[];
}

/**
 * Returns the text of `live` with recorded values in the places of ids and of what `ignore` names, if both messages have a
 * value of the same type there. A cassette with a new answer thus keeps its own ids, cursors and times, which other events
 * repeat.
 */
export function keepIgnoredValues(recorded: JsonText, live: JsonText, { ignore, ids = [] }: KeptValues): string {
  const known = knownIds(ids);
  const named = ignore
    .flatMap((rule) => (typeof rule === 'string' ? pathsIn(live.value, parsePointer(rule)) : []))
    .flatMap((path): Replacement[] => {
      const [there, here] = [locate(recorded.text, path), locate(live.text, path)];
      if (there === undefined || here === undefined) return [];
      const [token, now] = [recorded.text.slice(there.start, there.end), live.text.slice(here.start, here.end)];
      const isOfAnother = known.isOfAnother(valueAt(recorded.value, path), valueAt(live.value, path));
      return typeOfToken(token) === typeOfToken(now) && !isOfAnother ? [{ ...here, token }] : [];
    });
  const patterns = ignoredExpressions(ignore);
  const leaves = patterns.length + ids.length === 0 ? [] : [...leavesOf(live.value, [])];
  const inTexts = leaves.flatMap(({ value: now, path }): Replacement[] => {
    const before = valueAt(recorded.value, path);
    const kept = known.inLeaf(before, now);
    const value = typeof before === 'string' && typeof kept === 'string' ? known.keep(before, kept, patterns) : kept;
    const here = value === now ? undefined : locate(live.text, path);
    return here === undefined ? [] : [{ ...here, token: JSON.stringify(value) }];
  });
  return replaceTokens(live.text, [...named, ...inTexts]);
}

/** A token for a span of JSON. */
type Replacement = Span & { token: string };

function replaceTokens(json: string, tokens: readonly Replacement[]): string {
  let text = '';
  let from = 0;
  // Of two tokens at one place, the larger one comes first: sorting is stable, and pointers come before leaves.
  for (const { start, end, token } of [...tokens].sort((a, b) => a.start - b.start || b.end - a.end)) {
    // Already replaced as part of a larger value.
    if (start < from) continue;
    text += json.slice(from, start) + token;
    from = end;
  }
  return text + json.slice(from);
}

/** Ids of one run, for replacing live ones. */
interface KnownIds {
  /** Returns a text or number of a live answer with recorded ids. */
  inLeaf(before: unknown, now: unknown): unknown;
  /** Returns a text with the recorded matches of expressions, if both texts have equally many. Ids in matches stay. */
  keep(before: string, now: string, patterns: readonly LinearRegex[]): string;
  /** Reports whether the live value is a known id of another recorded value, or the recorded one of another live value. */
  isOfAnother(recorded: unknown, live: unknown): boolean;
}

function knownIds(ids: readonly KnownId[]): KnownIds {
  const byLive = new Map(ids.filter(({ isShort }) => !isShort).map(({ live, recorded }) => [live, recorded]));
  const lives = new Map(ids.map(({ live, recorded }) => [recorded, live]));
  const short = ids.filter(({ isShort }) => isShort);
  const [known, own] = [new KnownValues(byLive.keys()), new KnownValues(byLive.values())];
  const inText = (text: string) => {
    let rest = text;
    let from = text.length + 1;
    // From the right, so that the earlier spans stay. Of spans with the same end, the longest is replaced.
    for (const { start, end } of known.spansIn(text).sort((a, b) => b.end - a.end || a.start - b.start)) {
      if (end > from) continue;
      rest = rest.slice(0, start) + byLive.get(text.slice(start, end))! + rest.slice(end);
      from = start;
    }
    return rest;
  };
  const isOfAnother = (recorded: unknown, live: unknown) => {
    const [own, other] = [byLive.get(`${live}`), lives.get(`${recorded}`)];
    return (own !== undefined && own !== `${recorded}`) || (other !== undefined && other !== `${live}`);
  };
  return {
    isOfAnother,
    inLeaf(before, now) {
      const kept = withRecordedValues(before, typeof now === 'string' ? inText(now) : now, short);
      return kept === now ? withRecordedValues(before, now, ids) : kept;
    },
    keep(before, now, patterns) {
      const [old, found] = [matchesIn(before, patterns), matchesIn(now, patterns)];
      if (old.length !== found.length) return now;
      return found.reduceRight((text, { start, end }, index) => {
        const recorded = before.slice(old[index]!.start, old[index]!.end);
        // The live ids in it are replaced already, so that another id is that of something else.
        const hasId = [recorded, text.slice(start, end)].some((match) => own.spansIn(match).length > 0);
        return hasId ? text : text.slice(0, start) + recorded + text.slice(end);
      }, now);
    },
  };
}

/** Returns every path in `value` that a pointer matches. `*` is any key or index. */
function pathsIn(value: unknown, [step, ...rest]: readonly string[]): JsonPath[] {
  if (step === undefined) return [[]];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isObject(value) ? value : {});
  return members
    .filter(([key]) => step === '*' || step === String(key))
    .flatMap(([key, member]) => pathsIn(member, rest).map((path) => [key, ...path]));
}

/** Returns a character for the type of a JSON token. */
function typeOfToken(token: string): string {
  return /^[-\d]/.test(token) ? '0' : token.charAt(0);
}
