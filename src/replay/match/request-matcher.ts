import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { MessageEntry, SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import { fastSameIdentity } from '../../match/fast-same-identity.ts';
import { type Ignore, numberedRules } from '../../match/ignore-rules.ts';
import { type Identity, identityOf } from '../../match/request-identity.ts';
import type { ValuePattern } from '../../match/value-pattern.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isObject, isRequest, resultOf } from '../../protocol/message.ts';
import { isRequestMethod, type RepeatOption, repeatOf } from '../../protocol/method-table.ts';
import { type ProtocolRejection, requestMetadata } from '../plan/metadata-rejections.ts';
import { addCandidate, type MatchQueue, MatchQueues, nextInTurn, nextRepeatable, nextUnused } from './match-queue.ts';
import { acceptedArguments, ignoredBy, RecordedRequest, requiredFirst } from './recorded-request.ts';
import {
  type ComparedForm,
  comparedForm,
  SecretBindings,
  type SecretDifferences,
  secretDifferences,
} from './secret-bindings.ts';

/** All recorded messages of one method, in order. */
interface MethodQueue extends MatchQueue {
  /** Whether every request is used once and without ignore rules. Comparing the next candidate is then enough. */
  isPlain: boolean;
  /** Each request is also queued by identity. */
  isIndexed: boolean;
}

/** Recorded messages with equal comparison rules. */
interface ComparisonGroup {
  ignore: readonly Ignore[];
  /** Pattern of accepted arguments, if their events have one, and its text. */
  accepts?: ValuePattern | undefined;
  pattern?: string | undefined;
  queues: MatchQueues;
}

export interface RequestMatcherOptions {
  entries: readonly SessionEntry[];
  /** The live side, whose recorded messages are matched. */
  side: Side;
  ignore?: readonly Ignore[];
  /** Entries of requests that were rejected for their headers or envelope. */
  rejections?: ReadonlyMap<number, ProtocolRejection>;
  /** Reports whether an entry of either side has happened in the live session. */
  happened(entry: number): boolean;
  /** Links of the entries. The responses show whether an unknown method is a poll or a list. */
  links: Pick<Links, 'answerOf'>;
  /** Default reuse of recorded answers. Absent: depends on the method. */
  repeat?: RepeatOption | undefined;
  /** Values of the recorded placeholders. Absent: nothing else compares secrets. */
  bindings?: SecretBindings;
}

/**
 * Matches live requests and notifications with recorded ones, and counts their uses. Each live session has its own
 * matcher.
 */
export class RequestMatcher {
  /** The first group has the session's ignore rules only. Others add rules of single events. */
  readonly #comparisons: [ComparisonGroup, ...ComparisonGroup[]];
  readonly #requests: RecordedRequest[] = [];
  readonly #queues = new Map<string, MethodQueue>();
  readonly #happened: (entry: number) => boolean;
  /** Requests rejected for their envelope. They match live requests with the same envelope only. */
  readonly #rejected = new Map<string, MatchQueue>();
  readonly #rejections: ReadonlyMap<number, ProtocolRejection>;
  readonly #repeat: RepeatOption | undefined;
  readonly #bindings: SecretBindings;
  /** Returns the recorded result of a request, or an empty object. */
  readonly #resultOf: (request: number) => Record<string, unknown>;

  constructor(options: RequestMatcherOptions) {
    const { entries, side, links, ignore = [], rejections = new Map(), happened, repeat } = options;
    [this.#repeat, this.#bindings] = [repeat, options.bindings ?? new SecretBindings()];
    this.#resultOf = (request) => resultOf(entries[links.answerOf.get(request) ?? -1]?.message);
    this.#comparisons = [{ ignore, queues: new MatchQueues() }];
    this.#happened = happened;
    this.#rejections = rejections;
    let barrier: number | undefined;
    for (const entry of entries) {
      const { json, message, from, index } = entry;
      if (json === undefined) continue;
      // The HTTP layer rejects live requests with such headers, so they are never matched.
      if (rejections.get(index) === 'headers') continue;
      if (from === side && (isRequest(message) || isNotification(message)))
        this.#add(entry as MessageEntry, message.method, barrier);
      if (this.#changesAnswers(entry, side) && !rejections.has(index)) barrier = index;
    }
    for (const queue of this.#queues.values()) if (!queue.isPlain) this.#index(queue);
  }

  /** Recorded requests and notifications, in order. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /**
   * Returns the recorded message for `live`, and counts the use. A call is used once, in recorded order. A list or poll
   * takes its next recorded message after the message's barrier has happened, and repeats the previous one until then.
   */
  take(live: JsonText): RecordedRequest | undefined {
    const rejected = this.#rejected.size > 0 ? this.#rejected.get(this.#keyInEnvelope(live)) : undefined;
    if (rejected) return countUse(this.#advance(rejected));
    const queue = this.#queueOf(live);
    if (queue === undefined) return undefined;
    const due = queue.isPlain ? nextUnused(queue) : undefined;
    if (due && fastSameIdentity(due.method, live, due.entry.json)) return countUse(due);
    this.#index(queue);
    for (const group of this.#comparisons) {
      const form = formFor(live, group);
      for (const candidates of form ? group.queues.matching(form, this.#bindings) : []) {
        const candidate = this.#nextIn(candidates);
        if (candidate) this.#bindings.bind(candidates.secrets, form!.secrets);
        if (candidate) return countUse(candidate);
      }
    }
    return undefined;
  }

  /** Reports whether `live` matches this recorded message. */
  matches(candidate: RecordedRequest, live: JsonText): boolean {
    if (candidate.method !== this.#methodOf(live)) return false;
    const form = formFor(live, this.#comparisonOf(candidate.entry));
    if (form === undefined || form.key !== candidate.form.key) return false;
    return this.#bindings.conflict(candidate.form.secrets, form.secrets) === undefined;
  }

  /** Returns the first unused message that differs from `live` in the values of its secrets only. */
  withOtherSecrets(live: JsonText): RecordedRequest | undefined {
    const method = this.#methodOf(live);
    const forms = new Map<ComparisonGroup, ComparedForm | undefined>();
    return this.#requests.find((candidate) => {
      if (candidate.uses > 0 || candidate.method !== method || candidate.form.secrets.length === 0) return false;
      const group = this.#comparisonOf(candidate.entry);
      if (!forms.has(group)) forms.set(group, formFor(live, group));
      return forms.get(group)?.key === candidate.form.key;
    });
  }

  /** Returns the differences of a recorded message that differs from `live` in the values of its secrets only. */
  secretDifferences(candidate: RecordedRequest, live: JsonText): SecretDifferences | undefined {
    const rules = numberedRules(this.#comparisonOf(candidate.entry).ignore);
    const [recorded, now] = [candidate.entry.json, live].map((json) => ({ params: identityOf(json, rules).params }));
    return secretDifferences(recorded, now, this.#bindings);
  }

  /** Reports whether the cassette has a matching message for `live`, used or not. */
  has(live: JsonText): boolean {
    const queue = this.#queueOf(live);
    if (queue === undefined) return false;
    this.#index(queue);
    return this.#comparisons.some((group) => {
      const form = formFor(live, group);
      return form !== undefined && group.queues.matching(form, this.#bindings).length > 0;
    });
  }

  /** Returns the next unused recorded message of `method` with any params, and counts the use. */
  takeNext(method: string): RecordedRequest | undefined {
    const queue = this.#queues.get(method);
    return countUse(queue && nextUnused(queue));
  }

  identify(json: NonNullable<SessionEntry['json']>): Identity {
    return identityOf(json, this.#comparisons[0].ignore);
  }

  #keyInEnvelope(json: JsonText): string {
    return `${this.identify(json).key} ${requestMetadata(json)}`;
  }

  #nextIn(queue: MatchQueue): RecordedRequest | undefined {
    if (queue.isMixed) return nextUnused(queue) ?? nextRepeatable(queue);
    const { repeat } = queue.requests[Math.max(0, queue.next - 1)]!;
    if (repeat === 'cycle') return nextInTurn(queue);
    return repeat === 'last' ? this.#advance(queue) : nextUnused(queue);
  }

  #advance(queue: MatchQueue): RecordedRequest | undefined {
    const next = queue.requests[queue.next];
    const current = queue.requests[queue.next - 1];
    if (next === undefined) return current;
    const { barrier } = next;
    if (current !== undefined && barrier !== undefined && !this.#happened(barrier)) return current;
    queue.next++;
    return next;
  }

  /** Returns the group for the rules of the session and of the entry's event. */
  #comparisonOf(entry: SessionEntry): ComparisonGroup {
    const { match, json } = entry;
    const [ordinary] = this.#comparisons;
    const own = [...ignoredBy(match), ...this.#ignoredOfPoll(entry)];
    if (own.length === 0) return ordinary;
    const ignore = [...ordinary.ignore, ...own];
    const isPartial = match?.arguments === 'partial';
    const written = isPartial ? argumentsOf(json!) : match?.arguments;
    const pattern = written === undefined ? undefined : `${isPartial} ${JSON.stringify(written)}`;
    const known = this.#comparisons.find((one) => one.pattern === pattern && areSame(ignore, one.ignore));
    if (known) return known;
    const comparison: ComparisonGroup = {
      ignore,
      pattern,
      accepts: acceptedArguments(match, argumentsOf(json!)),
      queues: new MatchQueues(),
    };
    this.#comparisons.push(comparison);
    return comparison;
  }

  /** Returns the rule to ignore the position in polls of unknown methods, because the position depends on timing. */
  #ignoredOfPoll({ index, message }: SessionEntry): readonly Ignore[] {
    const isUnknown = isRequest(message) && !isRequestMethod(message.method);
    return isUnknown && this.#resultOf(index).nextPollMs !== undefined ? CURSOR : [];
  }

  #add(entry: MessageEntry, method: string, barrier: number | undefined): void {
    const { ignore, accepts } = this.#comparisonOf(entry);
    const repeat = entry.match?.repeat ?? repeatOf(method, this.#repeat, this.#resultOf(entry.index));
    const isRejected = this.#rejections.has(entry.index);
    const candidate = new RecordedRequest({
      entry,
      method,
      repeat,
      ignored: ignore,
      accepts,
      barrier: isRejected ? undefined : barrier,
    });
    this.#requests.push(candidate);
    if (isRejected) return this.#addRejected(candidate);
    const isPlain = repeat === 'once' && ignore.length === 0 && !candidate.isOptional;
    const queue = this.#queues.get(method);
    if (queue === undefined) {
      this.#queues.set(method, { requests: [candidate], next: 0, isPlain, isIndexed: false });
      return;
    }
    queue.requests.push(candidate);
    queue.isPlain &&= isPlain;
  }

  #addRejected(candidate: RecordedRequest): void {
    const key = this.#keyInEnvelope(candidate.entry.json);
    const queue = this.#rejected.get(key);
    if (queue) addCandidate(queue, candidate);
    else this.#rejected.set(key, { requests: [candidate], next: 0 });
  }

  /**
   * Reports whether later list results may differ after this entry: a call of the live side, or a `list_changed`
   * notification.
   */
  #changesAnswers({ index, from, message }: SessionEntry, live: Side): boolean {
    if (isRequest(message))
      return from === live && repeatOf(message.method, undefined, this.#resultOf(index)) === 'once';
    return from !== live && isNotification(message) && message.method.endsWith('/list_changed');
  }

  #queueOf(live: JsonText): MethodQueue | undefined {
    return this.#queues.get(this.#methodOf(live));
  }

  #methodOf({ value }: JsonText): string {
    return String(isObject(value) ? value.method : undefined);
  }

  /**
   * Sorts the messages of a method into queues by identity. This is deferred, because most clients repeat the recorded
   * order.
   */
  #index(queue: MethodQueue): void {
    if (queue.isIndexed) return;
    queue.isIndexed = true;
    for (const candidate of requiredFirst(queue.requests)) {
      const { queues } = this.#comparisonOf(candidate.entry);
      queues.add(candidate.form, candidate);
    }
  }
}

const CURSOR: readonly Ignore[] = ['/params/cursor'];

/** Returns the form of a live message in a group. Undefined: the group does not accept its arguments. */
function formFor(live: JsonText, { ignore, accepts }: ComparisonGroup): ComparedForm | undefined {
  return (accepts?.(argumentsOf(live)) ?? true) ? comparedForm(live, ignore) : undefined;
}

function argumentsOf({ value }: JsonText): unknown {
  return (isObject(value) && isObject(value.params) ? value.params.arguments : undefined) ?? {};
}

function countUse<Taken extends RecordedRequest | undefined>(candidate: Taken): Taken {
  if (candidate) candidate.uses++;
  return candidate;
}

function areSame(one: readonly Ignore[], other: readonly Ignore[]): boolean {
  return one.length === other.length && one.every((rule, index) => rule === other[index]);
}
