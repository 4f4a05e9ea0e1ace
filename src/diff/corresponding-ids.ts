import { leavesOf } from '../kernel/validate-fields.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import { ExactNumber } from '../match/exact-json-value.ts';
import { escapeStep } from '../protocol/json-pointer.ts';
import { isObject, resultOf } from '../protocol/message.ts';
import { valueAt } from '../protocol/scalar-key.ts';
import { isLikelyId } from '../replay/tokens/ids-in-text.ts';
import { textOf } from '../replay/tokens/returned-values.ts';
import { inPlacesOf, KnownIds } from './known-ids-in-text.ts';
import { pairMessagesByIdentity } from './pair-messages-by-identity.ts';
import { type IdUse, isMeasure, serverMadeIds } from './server-made-ids.ts';
import type { Interaction, SentMessage, SessionInteractions } from './session-interactions.ts';

/** Ids of the first session, with their counterparts in the second session. */
interface Learned {
  /** Second session's ids, by first session's id. */
  seconds: Map<string, string>;
  /** First session's ids, by second session's id. */
  firsts: Map<string, string>;
  /** Titles of the requests whose answers introduced the ids, by first session's id. */
  titles: Map<string, string>;
  /** First session's ids that occur inside another id, such as a URI. */
  parts: Set<string>;
}

const nothing = (): Learned => ({ seconds: new Map(), firsts: new Map(), titles: new Map(), parts: new Set() });

/** Maximum number of rounds of pairing messages and learning ids. Overlapping calls need more than one. */
const ROUNDS_MAX = 4;

/**
 * Finds the corresponding ids of two sessions. The counterpart of an id stands at the same place of the paired answer
 * in which the first session introduced the id.
 * @param kept ids that have no other counterpart than themselves
 */
export function correspondingIds(
  a: SessionInteractions,
  b: SessionInteractions,
  kept: ReadonlySet<string> = new Set(),
): CorrespondingIds {
  const [ids, others] = [a, b].map(
    (session) => new Map([...serverMadeIds(session)].filter(([id]) => !kept.has(id))),
  ) as [Map<string, IdUse>, Map<string, IdUse>];
  if (ids.size === 0 || others.size === 0) return new CorrespondingIds(nothing());
  const known = new KnownIds(ids.keys());
  const masked = (each: readonly Interaction[], known: KnownIds) =>
    each.map((one) => withIdentity(one, (value) => inTexts(value, known, () => MASKED)));
  const learn = (mine: readonly Interaction[], theirs: readonly Interaction[]) =>
    learnedFrom(pairMessagesByIdentity(mine, theirs).pairs, { a, b, ids, known, others, kept });
  let learned = learn(masked(a.interactions, known), masked(b.interactions, new KnownIds(others.keys())));
  for (let round = 1; round < ROUNDS_MAX; round++) {
    const { interactions } = new CorrespondingIds(learned).inTermsOfFirst(b);
    const next = learn(a.interactions, interactions);
    if (areEqual(next.seconds, learned.seconds)) break;
    learned = next;
  }
  return new CorrespondingIds(learned);
}

const MASKED = '[id]';

function areEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([id, second]) => other.get(id) === second);
}

/**
 * Returns the ids that both sessions have, if one of them has another counterpart than itself in `ids`. Such an id may be
 * the same one in both, such as the number of a customer.
 */
export function idsKeptInBoth(a: SessionInteractions, b: SessionInteractions, ids: CorrespondingIds): Set<string> {
  const pairs = ids.madeUp();
  const inBoth = [
    ...idsIn(
      pairs.map(([first]) => first),
      b,
    ),
    ...idsIn(
      pairs.map(([, second]) => second),
      a,
    ),
  ];
  return new Set(inBoth);
}

/** Returns those of `ids` that messages of a session have. */
function idsIn(ids: readonly string[], { entries }: SessionInteractions): Set<string> {
  const known = new KnownIds(ids);
  const found = new Set<string>();
  if (ids.length === 0) return found;
  for (const { message } of entries)
    for (const { value } of leavesOf(message, [])) {
      const text = textOf(value) ?? '';
      for (const { start, end } of known.spansIn(text)) found.add(text.slice(start, end));
    }
  return found;
}

interface Sessions {
  a: SessionInteractions;
  b: SessionInteractions;
  /** Ids that the first session's server issued, with their use. */
  ids: ReadonlyMap<string, IdUse>;
  /** Search for the first session's ids in texts. */
  known: KnownIds;
  /** Ids that the second session's server issued. */
  others: ReadonlyMap<string, IdUse>;
  /** Ids that have no other counterpart than themselves. */
  kept: ReadonlySet<string>;
}

function learnedFrom(
  pairs: readonly (readonly [Interaction, Interaction])[],
  { a, b, ids, known, others, kept }: Sessions,
): Learned {
  const learned = nothing();
  const learn = (first: string, second: string, title: string, isPart: boolean): void => {
    const { seconds, firsts, titles, parts } = learned;
    // If a client sends a different value, the counterpart is not an id but an ordinary difference.
    const isId = others.has(second) || (ids.get(first) === 'sent back' && isLikelyId(second) && !isMeasure(second));
    if (isId && !kept.has(second) && !seconds.has(first) && !firsts.has(second)) {
      seconds.set(first, second);
      firsts.set(second, first);
      titles.set(first, title);
      if (isPart) parts.add(first);
    }
    // An id that is a URI may contain another id.
    learnText(first, second, title, first.length - 1);
  };
  const learnText = (text: string, other: string, title: string, max = text.length): void => {
    const spans = known.spansIn(text, max);
    if (spans.length === 0) return;
    const found = inPlacesOf(text, spans, other) ?? [];
    for (const [index, second] of found.entries()) {
      const { start, end } = spans[index]!;
      learn(text.slice(start, end), second, title, max < text.length);
    }
  };
  const answered = pairs.filter(([{ from }]) => from === 'client').sort(([one], [other]) => one.ended - other.ended);
  for (const [one, other] of answered) {
    const [answer, second] = [a.entries[one.ended], b.entries[other.ended]].map((entry) => resultOf(entry?.message));
    for (const { value, path } of leavesOf(answer, [])) {
      const text = textOf(value);
      const now = valueAt(second, path);
      const other = textOf(now);
      if (text !== undefined && other !== undefined && typeof value === typeof now) learnText(text, other, one.title);
    }
  }
  return learned;
}

/** A place in an answer with a non-corresponding id. */
export interface WrongId {
  words: string;
  /** Whether the texts around both ids are equal. */
  isSameAround: boolean;
}

/** The corresponding ids of two sessions. */
export class CorrespondingIds {
  readonly #learned: Learned;
  readonly #inFirst: KnownIds;
  readonly #inSecond: KnownIds;

  constructor(learned: Learned) {
    this.#learned = learned;
    this.#inFirst = new KnownIds(learned.seconds.keys());
    this.#inSecond = new KnownIds([...learned.firsts.keys(), ...learned.seconds.keys()]);
  }

  /** Returns the second session with its requests in terms of the first session's ids. */
  inTermsOfFirst(b: SessionInteractions): SessionInteractions {
    if (this.#learned.seconds.size === 0) return b;
    const renamed = (value: unknown) => this.renamed(value);
    return {
      ...b,
      interactions: b.interactions.map((one) => withIdentity(one, renamed)),
      sentMessages: b.sentMessages.map((one) => withIdentity(one, renamed)),
    };
  }

  /**
   * Replaces ids of the second session by their counterparts in the first session. An id without a counterpart that
   * equals an id of the first session is marked as another one.
   */
  renamed(value: unknown): unknown {
    return this.#learned.seconds.size === 0
      ? value
      : inTexts(value, this.#inSecond, (id) => this.#learned.firsts.get(id) ?? `(another) ${id}`);
  }

  /** Returns the places of two paired values whose ids do not correspond. `live` has the ids of the second session. */
  wrongIds(recorded: unknown, live: unknown): WrongId[] {
    if (this.#learned.seconds.size === 0) return [];
    const wrong: WrongId[] = [];
    for (const { value, path } of leavesOf(recorded, [])) {
      const [text, other] = [textOf(value), textOf(valueAt(live, path))];
      if (text === undefined || other === undefined) continue;
      const found = this.#wrongIn(text, other);
      if (found === undefined) continue;
      const place = path.map((step) => `/${escapeStep(step)}`).join('');
      wrong.push({ ...found, words: `${place} ${found.words}` });
    }
    return wrong;
  }

  #wrongIn(text: string, other: string): WrongId | undefined {
    const { seconds, firsts, titles } = this.#learned;
    const spans = this.#inFirst.spansIn(text);
    if (spans.length === 0) return undefined;
    const due = spans.map(({ start, end }) => seconds.get(text.slice(start, end))!);
    const found = inPlacesOf(text, spans, other);
    const present = found ?? this.#inSecond.spansIn(other).map(({ start, end }) => other.slice(start, end));
    const at = due.findIndex((id, index) => (found ? found[index] !== id : !present.includes(id)));
    const instead = found?.[at] ?? present.find((id) => !due.includes(id));
    if (at < 0 || instead === undefined) return undefined;
    const title = titles.get(firsts.get(instead) ?? '');
    const what = title === undefined ? 'has another id' : `has the id of another ${title}`;
    return { words: `${what}: "${instead}", not "${due[at]}"`, isSameAround: found !== undefined };
  }

  /** Returns the ids whose counterpart is another one. */
  madeUp(): (readonly [first: string, second: string])[] {
    return [...this.#learned.seconds].filter(([first, second]) => first !== second);
  }

  /** Returns a note on the ids that the second session's server issued anew. */
  notes(): string[] {
    const made = this.madeUp().filter(([first]) => !this.#learned.parts.has(first));
    if (made.length === 0) return [];
    const more = made.length > SHOWN_MAX ? `, and ${made.length - SHOWN_MAX} more` : '';
    const shown = made.slice(0, SHOWN_MAX).map(([first, second]) => `"${first}" is now "${second}"`);
    return [`The server made up other ids, which are shown as in the first session: ${shown.join(', ')}${more}.`];
  }
}

const SHOWN_MAX = 5;

/** Returns a message with replaced texts in its identity. */
function withIdentity<Message extends SentMessage>(message: Message, replace: (value: unknown) => unknown): Message {
  const { identity, request } = message;
  const params = replace(identity.params);
  if (params === identity.params || !isObject(params)) return message;
  return {
    ...message,
    identity: { ...identity, params, key: `${identity.method} ${canonicalJson(params)}` },
    ...(request && { request: replace(request) }),
  };
}

/** Replaces ids in the texts and numbers of a value. Parts without ids are not copied. */
function inTexts(value: unknown, known: KnownIds, replaced: (id: string) => string): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = textOf(value);
    if (text === undefined) return value;
    const changed = known
      .spansIn(text)
      .reduceRight(
        (rest, { start, end }) => rest.slice(0, start) + replaced(text.slice(start, end)) + rest.slice(end),
        text,
      );
    if (changed === text) return value;
    return typeof value === 'number' && /^-?\d+$/.test(changed) ? Number(changed) : changed;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => inTexts(item, known, replaced));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value) || value instanceof ExactNumber) return value;
  const members = Object.entries(value).map(([key, item]) => [key, inTexts(item, known, replaced)] as const);
  return members.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(members);
}
