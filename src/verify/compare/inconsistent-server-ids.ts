import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import type { LinearRegex } from '../../kernel/linear-regex.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { VOLATILE_POINTERS } from '../../match/default-ignore-pointers.ts';
import { type Ignore, ignoredExpressions, type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import { pointerOf } from '../../protocol/json-pointer.ts';
import type { JsonPath, Span } from '../../protocol/json-scan.ts';
import { isRequest, resultOf } from '../../protocol/message.ts';
import { LISTS } from '../../protocol/method-table.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { isRedacted } from '../../redact/replace/placeholder-format.ts';
import {
  idSpans,
  isDistinctive,
  isLikelyId,
  isTime,
  KnownValues,
  LENGTH_MIN,
  wordWith,
} from '../../replay/tokens/ids-in-text.ts';
import { RETURNING, sentValues, textOf } from '../../replay/tokens/returned-values.ts';
import { namesOfShortValues, shortValueSpans } from '../../replay/tokens/short-left-out-values.ts';
import { isMatched, matchesIn, valuesInPlaces } from '../../replay/tokens/values-in-live-texts.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { alignSecrets, type LiveRedaction } from './equal-placeholders.ts';
import { type ListItemPair, ListItemPairs, withOwnRules } from './gather-answers.ts';

/** A live id that contradicts the id expected in its place. */
export interface WrongId {
  /** Path of the id in the answer. */
  path: Pointer;
  words: string;
  /**
   * Whether the comparison of values misses the wrong id, because a rule ignores the place or the value is as recorded.
   */
  isHidden: boolean;
}

/** A recorded id in an answer, with its live counterpart. */
interface PlacedId {
  recorded: string;
  live: string;
  /** Words that contain the two ids, for messages: redaction recognizes a whole secret, and no part of one. */
  words: { recorded: string; live: string };
  path: Pointer;
  /** Whether an ignore rule covers the place. */
  isLeftOut: boolean;
  request: SessionEntry;
}

/** Ids to compare an id with. */
interface RelatedIds {
  /** The id that the request sent. */
  sent: SentId | undefined;
  /** The same recorded id at another place of the answer. */
  ofAnswer: PlacedId | undefined;
  /** Another recorded id of the answer with the same live id. */
  other: PlacedId | undefined;
}

/** A live id that a request sent, and the word that contains it. */
interface SentId {
  live: string;
  word: string;
}

/**
 * Ids in the answers of one run. A recorded id has the same live counterpart everywhere in the cassette. Ignore rules
 * hide the value of an id, but not a contradiction between places.
 */
export class LiveIds {
  readonly #run: ServerRun;
  /** Ignore rules of the session. */
  readonly #ignore: readonly Ignore[];
  readonly #redaction: LiveRedaction | undefined;
  /** Recorded ids that the client sends back. */
  readonly #repeated: ReadonlySet<string>;
  readonly #known: KnownValues;
  readonly #items: ListItemPairs;
  /** Names of short ids that the client sends back. */
  readonly #short: ReadonlyMap<string, readonly string[]>;
  readonly #wrong = new Map<Exchange, readonly WrongId[]>();
  /** First place of each recorded id, by recorded id and by live id. */
  readonly #first = new Map<string, PlacedId>();
  readonly #firstLive = new Map<string, PlacedId>();
  #count = 0;

  constructor(run: ServerRun, ignore: readonly Ignore[], redaction: LiveRedaction | undefined) {
    this.#run = run;
    this.#ignore = ignore;
    this.#redaction = redaction;
    this.#repeated = new Set(
      run.returned.values.map(({ recorded }) => recorded).filter((id) => !isTime(id) && !isRedacted(id)),
    );
    this.#known = new KnownValues(this.#repeated);
    this.#items = new ListItemPairs(run, ignore);
    this.#short = namesOfShortValues(run.returned.values);
  }

  /** Returns the wrong ids in the answer of an exchange. */
  wrongIn(exchange: Exchange): readonly WrongId[] {
    const { exchanges } = this.#run;
    for (; this.#count < exchanges.length; this.#count++) {
      const next = exchanges[this.#count]!;
      this.#wrong.set(next, this.#wrongOf(next));
    }
    return this.#wrong.get(exchange) ?? [];
  }

  /** Returns the live counterparts of recorded ids that rules leave out, whether or not the client sends them. */
  counterparts(): { recorded: string; live: string }[] {
    for (const exchange of this.#run.exchanges) this.wrongIn(exchange);
    const isMutual = ({ recorded, live }: PlacedId) => this.#firstLive.get(live)?.recorded === recorded;
    return [...this.#first.values()].filter(isMutual).map(({ recorded, live }) => ({ recorded, live }));
  }

  #wrongOf(exchange: Exchange): WrongId[] {
    const sent = this.#sentIn(exchange.request);
    const byId = new ListMap<string, PlacedId>();
    for (const id of this.#idsIn(exchange, sent)) byId.add(id.recorded, id);
    const wrong: WrongId[] = [];
    const inAnswer = new Map<string, PlacedId>();
    for (const [recorded, ids] of byId) {
      const ofAnswer = this.#repeated.has(recorded) || isDistinctive(recorded) || areMirrored(ids) ? ids[0] : undefined;
      for (const id of ids) {
        const words = this.#wordsFor(id, { sent: sent.get(recorded), ofAnswer, other: inAnswer.get(id.live) });
        const isHidden = id.isLeftOut || id.live === recorded;
        const isNew = !wrong.some((other) => other.path === id.path && other.words === words);
        if (words !== undefined && isNew) wrong.push({ path: id.path, words, isHidden });
      }
      for (const id of ids) if (id.live !== recorded && !inAnswer.has(id.live)) inAnswer.set(id.live, id);
    }
    for (const [recorded, [id]] of byId) this.#keep(recorded, id!);
    return wrong;
  }

  #keep(recorded: string, id: PlacedId): void {
    const isRepeated = this.#repeated.has(recorded);
    if (!isRepeated && !id.isLeftOut) return;
    if ((isRepeated || isDistinctive(recorded)) && !this.#first.has(recorded)) this.#first.set(recorded, id);
    if (id.live !== recorded && !this.#firstLive.has(id.live)) this.#firstLive.set(id.live, id);
  }

  /** Returns the reason why an id is wrong. Undefined if the id is right, or if comparing values is enough. */
  #wordsFor(id: PlacedId, { sent, ofAnswer, other: beside }: RelatedIds): string | undefined {
    const { recorded, live, path, isLeftOut, words } = id;
    const asked = sent?.live;
    const isEqual = live === recorded && !isLeftOut;
    const isRepeated = this.#repeated.has(recorded);
    const isOne = !isLeftOut || isRepeated || isDistinctive(recorded);
    // The server may return the client's own ids in another letter case.
    const isAsked = asked === live || (!isRepeated && asked?.toLowerCase() === live.toLowerCase());
    if (asked !== undefined && !isAsked && isOne && !isEqual)
      return `this answer has another id than the one that was sent: "${words.live}" at ${path}, and not "${sent!.word}"`;
    if (ofAnswer !== undefined && ofAnswer.live !== live && (isLeftOut || ofAnswer.isLeftOut || isRepeated))
      return twoWords(id, ofAnswer);
    const first = this.#first.get(recorded);
    if (first !== undefined) return first.live === live || isEqual || !isOne ? undefined : twoWords(id, first);
    const other = live === recorded ? undefined : (this.#firstLive.get(live) ?? beside);
    if (other === undefined || other.recorded === recorded) return undefined;
    const areDistinctive = [recorded, other.recorded, live].every(isDistinctive);
    if (!isRepeated && !this.#repeated.has(other.recorded) && !areDistinctive) return undefined;
    if (recorded.includes(other.recorded) || other.recorded.includes(recorded)) return undefined;
    return `this answer has the id of another one: "${words.live}" at ${path} is also at ${placeOf(other, id)}, where the cassette has "${other.words.recorded}" in place of "${words.recorded}"`;
  }

  /** Returns the ids that a request actually sent in its params, by recorded id. */
  #sentIn({ index, json }: SessionEntry): Map<string, SentId> {
    const sent = this.#run.sentRequests.get(index);
    const ids = new Map<string, SentId>();
    if (sent === undefined || json === undefined) return ids;
    for (const { value, place } of sentValues(this.#run.plan.entries[index]!)) {
      if (isTime(value) || isRedacted(value) || (isNumber(value) && !this.#repeated.has(value)) || ids.has(value))
        continue;
      const [recorded, live] = [json.value, sent.value].map((message) => textOf(valueAt(message, place.path)));
      if (recorded === undefined || live === undefined) continue;
      const [found] = valuesInPlaces([place.span ?? wholeOf(recorded)], { recorded, live });
      if (found !== undefined) ids.set(value, { live: found, word: wordWith(live, found) });
    }
    return ids;
  }

  /** Returns the ids of a recorded answer, with their live counterparts. */
  #idsIn(exchange: Exchange, sent: ReadonlyMap<string, SentId>): PlacedId[] {
    const { request, recorded: entry, live: answer } = exchange;
    if (entry?.json === undefined || !isRequest(request.message)) return [];
    const { method } = request.message;
    if (!RETURNING.has(method) && !LISTS.has(method)) return [];
    const aligned = alignSecrets(this.#redaction)(entry.json, answer);
    const asked = new KnownValues(sent.keys());
    const rules = withOwnRules(this.#ignore, request, entry);
    const values = LISTS.has(method)
      ? this.#items.pairsIn(exchange, aligned)
      : [{ recorded: resultOf(entry.message), live: resultOf(aligned), place: RESULT, path: RESULT, rules }];
    const leaves = values.flatMap(comparedLeaves);
    const hasRules = leaves.some(({ isLeftOut, matches }) => isLeftOut || matches.length > 0);
    return leaves.flatMap(({ recorded, live, path, isLeftOut, matches, patterns }) => {
      const followed = distinct([...this.#known.spansIn(recorded), ...asked.spansIn(recorded)]);
      const short = shortValueSpans({ text: recorded, path, isLeftOut, patterns }, this.#short);
      const isWanted = hasRules || (recorded !== live && this.#hasKnown(live));
      const spans = distinct([...followed, ...short, ...(isWanted ? formedSpans(recorded) : [])]);
      const found = valuesInPlaces(spans, { recorded, live, patterns });
      return spans.flatMap((span, index): PlacedId[] => {
        const id = recorded.slice(span.start, span.end);
        const due = sent.get(id)?.live ?? this.#first.get(id)?.live ?? id;
        const isLost = found[index] === undefined && index < followed.length && !live.includes(due);
        const now = isLost ? this.#otherIn(live, recorded) : found[index];
        if (now === undefined) return [];
        const isOut = isLeftOut || isMatched(span, matches);
        const words = { recorded: wordWith(recorded, id), live: wordWith(live, now) };
        return [{ recorded: id, live: now, words, path: pointerOf(path), isLeftOut: isOut, request }];
      });
    });
  }

  /**
   * Returns the id of an earlier answer in a live text whose surroundings changed, if the recorded text lacks that id.
   */
  #otherIn(live: string, recorded: string): string | undefined {
    const known = [...this.#firstLive.keys()].filter((id) => id.length >= LENGTH_MIN);
    const found = new KnownValues(known).spansIn(live).map(({ start, end }) => live.slice(start, end));
    return found.find((id) => !recorded.includes(this.#firstLive.get(id)!.recorded));
  }

  /** Reports whether a live text has an id of an earlier answer. */
  #hasKnown(live: string): boolean {
    if (this.#firstLive.size === 0) return false;
    return [wholeOf(live), ...idSpans(live)].some(({ start, end }) => this.#firstLive.has(live.slice(start, end)));
  }
}

/** A text or number of a recorded answer, with its live counterpart. */
interface ComparedLeaf {
  recorded: string;
  live: string;
  path: JsonPath;
  /** Whether a pointer of the rules names it, and what their expressions match in it. */
  isLeftOut: boolean;
  matches: readonly Span[];
  patterns: readonly LinearRegex[];
}

/** Returns the texts and numbers of a recorded value, except those inside an ignored object. */
function comparedLeaves({ recorded: whole, live: now, place, path: shown, rules }: ListItemPair): ComparedLeaf[] {
  const patterns = ignoredExpressions(rules);
  const pointers = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePointer(rule)] : []));
  return [...leavesOf(whole, [])].flatMap(({ value, path: inside }) => {
    const [recorded, live, path] = [textOf(value), textOf(valueAt(now, inside)), [...place, ...inside]];
    const ruled = pointers.filter((pointer) => leadsTo(pointer, path));
    // Places inside an ignored object have no reliable counterparts.
    const isInside = ruled.some(({ length }) => length < path.length) || VOLATILE.some((one) => leadsTo(one, path));
    if (recorded === undefined || live === undefined || isInside) return [];
    const [isLeftOut, matches] = [ruled.length > 0, matchesIn(recorded, patterns)];
    return [{ recorded, live, path: [...shown, ...inside], isLeftOut, matches, patterns }];
  });
}

const RESULT: JsonPath = ['result'];

function twoWords(id: PlacedId, other: PlacedId): string {
  return `"${id.words.live}" at ${id.path}, and "${other.words.live}" at ${placeOf(other, id)}: the cassette has one id at both, "${id.words.recorded}"`;
}

function placeOf({ path, request }: PlacedId, here: PlacedId): string {
  return request === here.request ? path : `${path} of ${messageTitle(request.message)} (line ${request.line})`;
}

/**
 * Returns the spans of texts that look like ids. Numbers are left out, because equal numbers are often a coincidence.
 */
function formedSpans(text: string): Span[] {
  const whole = isLikelyId(text) ? [wholeOf(text)] : [];
  const spans = [...whole, ...idSpans(text)];
  return spans.map(({ start, end }) => ({ start, end })).filter(({ start, end }) => isName(text.slice(start, end)));
}

const isName = (value: string): boolean => !isNumber(value) && !isTime(value);
const isNumber = (value: string): boolean => /^[\d.,:+-]+$/.test(value);

function wholeOf({ length }: string): Span {
  return { start: 0, end: length };
}

function distinct(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((span) => [`${span.start} ${span.end}`, span])).values()];
}

/** Reports whether an answer repeats a value in its text and in its structured content, which have the same meaning. */
function areMirrored(ids: readonly PlacedId[]): boolean {
  return String(ids.map(({ path }) => path.split('/')[2]).sort()) === 'content,structuredContent';
}

const VOLATILE: readonly (readonly string[])[] = VOLATILE_POINTERS.map(parsePointer);

/** Reports whether a pointer leads to `path` or to a parent of `path`. */
export function leadsTo(pointer: readonly string[], path: JsonPath): boolean {
  return pointer.length <= path.length && pointer.every((step, index) => step === '*' || step === `${path[index]}`);
}
