import { didYouMean } from '../kernel/did-you-mean.ts';
import { askedKey } from '../match/request-identity.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isObject, type Params, paramsOf, type Request } from '../protocol/message.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { Definition, Handler, HandlerContext, Result } from './handler.ts';
import {
  completeItem,
  givenDefinitions,
  keyOf,
  LISTS,
  overriddenItems,
  type RecordedItems,
  recordedArgumentsCheck,
} from './server/merge-list-items.ts';
import { checkHandler } from './validate-handler.ts';

type CheckName = 'checkArguments' | 'checkOutput';

/** Maximum edits of a misspelt name: one edit below this length, otherwise two. */
const SHORT_NAME = 6;

/** The handlers of a mock server. The first matching handler answers a request. */
export class HandlerList {
  #initial: readonly Handler[];
  #handlers: Handler[];
  /** Number of requests answered by each handler with a limit. */
  readonly #uses = new Map<Handler, number>();
  /** Limited handlers that failed a request, by its identity key, until the client makes the request again. */
  readonly #failed = new Map<string, Handler>();
  /** Identity keys of requests answered by handlers. */
  readonly #answered = new Set<string>();
  /** Handlers that a request should reach: those added by a test, and initial ones for a limited number of requests. */
  #expected: Handler[] = [];
  readonly #called = new Set<Handler>();
  /** Names in requests that the cassette answered, by method. */
  readonly #unhandled = new Map<string, Set<string>>();
  /** Results of `checkSource`, until the handlers change. */
  #checkSources = checkSources();
  readonly #recordedItemsOf: () => RecordedItems;
  #items: RecordedItems | undefined;

  /**
   * Creates the list from the initial handlers, and the lists of the cassette.
   * @throws McpRecordError HANDLER_INVALID
   */
  constructor(initial: readonly Handler[], recorded: () => RecordedItems = () => new Map()) {
    this.#recordedItemsOf = recorded;
    this.#initial = inOrder(initial);
    this.#handlers = [...this.#initial];
    this.#expected = this.#initial.filter(isLimited);
  }

  /**
   * Adds handlers before all others.
   * @throws McpRecordError HANDLER_INVALID
   */
  use(handlers: readonly Handler[]): void {
    const added = inOrder(handlers);
    this.#changeHandlers([...added, ...this.#handlers]);
    this.#expected.push(...added.filter(({ isFault = false, ifUncalled }) => !isFault && ifUncalled !== null));
  }

  /**
   * Replaces the initial handlers. Handlers added later stay before them.
   * @throws McpRecordError HANDLER_INVALID
   */
  replace(initial: readonly Handler[]): void {
    const before = new Set(this.#initial);
    this.#initial = inOrder(initial);
    this.#changeHandlers([...this.#handlers.filter((one) => !before.has(one)), ...this.#initial]);
  }

  /** Removes all handlers except the initial ones. */
  reset(): void {
    this.#changeHandlers([...this.#initial]);
    this.#uses.clear();
  }

  #changeHandlers(handlers: Handler[]): void {
    this.#handlers = handlers;
    this.#checkSources = checkSources();
  }

  /** Forgets the answered requests, for the next test. */
  forget(): void {
    this.#answered.clear();
    this.#failed.clear();
    this.#called.clear();
    this.#unhandled.clear();
    this.#expected = this.#initial.filter(isLimited);
  }

  /**
   * Findings about expected handlers that no request reached, and about failed requests that the client did not retry.
   * Initial handlers are expected only if their name resembles that of a request answered by the cassette.
   */
  get findings(): Finding[] {
    const misspelled = this.#initial.filter((one) => !this.#expected.includes(one) && this.#isMisspelled(one));
    const uncalled = [...this.#expected, ...misspelled].filter((one) => !this.#called.has(one));
    const failed = [...this.#failed.values()].map(notRetriedFinding);
    return [...uncalled.map((one) => uncalledFinding(one, this.#meant(one))), ...failed];
  }

  /** Returns the findings, each once. */
  takeFindings(): Finding[] {
    const { findings } = this;
    this.#expected = [];
    this.#failed.clear();
    this.#unhandled.clear();
    return findings;
  }

  #isMisspelled(handler: Handler): boolean {
    const { definition, name } = handler;
    const isRecorded = definition !== undefined && this.#recordedItems.get(definition.list)?.has(name);
    return !isRecorded && this.#meant(handler) !== undefined;
  }

  /** Returns the unhandled request name that resembles the handler's name. */
  #meant({ method, name }: Handler): string | undefined {
    const asked = this.#unhandled.get(method);
    if (name === undefined || asked === undefined) return undefined;
    return didYouMean(name, [...asked], name.length < SHORT_NAME ? 1 : 2);
  }

  get #recordedItems(): RecordedItems {
    this.#items ??= this.#recordedItemsOf();
    return this.#items;
  }

  /** Returns the handler of a request, and counts its use. */
  take(request: Request): Handler | undefined {
    if (this.#failed.size > 0) this.#failed.delete(askedKey(new JsonText(JSON.stringify(request))));
    const handler = this.#handlers.find((one) => fits(one, request) && this.#isLeft(one));
    if (handler === undefined) return undefined;
    this.#called.add(handler);
    if (isLimited(handler)) this.#uses.set(handler, (this.#uses.get(handler) ?? 0) + 1);
    return handler;
  }

  /** Takes back the use of a handler whose arguments were refused before it answered. */
  release(handler: Handler): void {
    const uses = this.#uses.get(handler);
    if (uses !== undefined && uses > 0) this.#uses.set(handler, uses - 1);
  }

  /** Returns the first handler with the request's name that defines arguments, matching or not. */
  argumentsSource(request: Request): Handler | undefined {
    return this.#handlers.find(
      (one) => one.checkArguments !== undefined && one.name !== undefined && isFor(one, request),
    );
  }

  #isLeft(handler: Handler): boolean {
    const limit = limitOf(handler);
    return limit === undefined || (this.#uses.get(handler) ?? 0) < limit;
  }

  /**
   * Notes a request that a handler answered without the cassette, so that its recorded answer does not count as unused.
   * After an error of a limited handler, the client is expected to make the request again, and needs the recorded answer.
   */
  noteReply(handler: Handler, request: JsonText, isError: boolean): void {
    const key = askedKey(request);
    if (isError && isLimited(handler)) this.#failed.set(key, handler);
    else this.#answered.add(key);
  }

  /** Notes a request without a handler, which the cassette answers. */
  noteUnhandled(request: Request): void {
    const name = nameIn(paramsOf(request));
    if (typeof name !== 'string' || this.names(request.method).includes(name)) return;
    const names = this.#unhandled.get(request.method) ?? new Set();
    this.#unhandled.set(request.method, names.add(name));
  }

  /** Reports whether a handler answered a request equal to this recorded one. */
  hasAnswered(recorded: JsonText): boolean {
    return this.#answered.size > 0 && this.#answered.has(askedKey(recorded));
  }

  /**
   * Returns a handler that adds the handlers' definitions to a recorded list, or `undefined` if there is nothing to
   * add.
   */
  lister({ method, params }: Request): Handler | undefined {
    const list = LISTS.get(method);
    if (list === undefined) return undefined;
    const own = givenDefinitions(this.#handlers, list);
    if (own.size === 0) return undefined;
    const isFirstPage = paramsOf({ params }).cursor === undefined;
    const answer = async ({ passthrough }: HandlerContext) => {
      const recorded = await passthrough();
      const items: unknown[] = Array.isArray(recorded[list]) ? recorded[list] : [];
      const known = new Set([...items.filter(isObject).map(keyOf), ...(this.#recordedItems.get(list)?.keys() ?? [])]);
      const added = [...own].flatMap(([name, one]) => (isFirstPage && !known.has(name) ? [completeItem(one)] : []));
      return { ...recorded, [list]: [...overriddenItems(items, own), ...added] };
    };
    return { method, once: false, place: '', answer, result: (value) => value as Result };
  }

  /** Returns the definitions for one list. */
  definitions(list: Definition['list']): Definition['item'][] {
    return [...givenDefinitions(this.#handlers, list).values()].map(completeItem);
  }

  /**
   * Returns the handler whose check applies: the first with a check, among `handler` and those that it overrides.
   * Failing that, returns the check of the recorded definition, if any.
   */
  checkSource(handler: Handler, check: CheckName): Handler | undefined {
    const known = this.#checkSources[check];
    if (!known.has(handler)) known.set(handler, this.#findCheckSource(handler, check));
    return known.get(handler);
  }

  #findCheckSource(handler: Handler, check: CheckName): Handler | undefined {
    const { method, name } = handler;
    const overridden = this.#handlers.slice(this.#handlers.indexOf(handler) + 1);
    const own = overridden.filter((one) => name !== undefined && one.method === method && one.name === name);
    const source = [handler, ...own].find((one) => one[check] !== undefined);
    if (source !== undefined || check === 'checkOutput') return source;
    const checkArguments = recordedArgumentsCheck(this.#recordedItems, handler);
    return checkArguments && { ...handler, checkArguments, place: '' };
  }

  /** Returns the reason why each handler of the request's method and name does not match. */
  refusals(request: Request): string[] {
    const near = this.#handlers.filter((one) => isFor(one, request) && !one.isFault);
    return near.map((one) => {
      const why = this.#isLeft(one) ? conditionOf(one) : 'has answered as often as it may';
      return one.place === '' ? `one ${why}` : `that of ${one.place} ${why}`;
    });
  }

  /** Reports whether any handler answers a method. */
  has(method: string): boolean {
    return this.#handlers.some((one) => one.method === method);
  }

  /** Returns the names of a method's handlers. */
  names(method: string): string[] {
    const own = this.#handlers.filter((one) => one.method === method);
    return [...new Set(own.flatMap(({ name }) => name ?? []))];
  }
}

function checkSources(): Record<CheckName, WeakMap<Handler, Handler | undefined>> {
  return { checkArguments: new WeakMap(), checkOutput: new WeakMap() };
}

function uncalledFinding(handler: Handler, meant: string | undefined): Finding {
  const hint = meant === undefined ? '' : ` The client asked for ${JSON.stringify(meant)}.`;
  return { kind: handler.ifUncalled ?? 'uncalled', text: `${titleOf(handler)} was never called.${hint}` };
}

function notRetriedFinding(handler: Handler): Finding {
  return { kind: 'unretried', text: `${titleOf(handler)} failed a request, and the client did not try again.` };
}

function titleOf({ method, name, place }: Handler): string {
  const subject = name === undefined ? method : `${method} ${JSON.stringify(name)}`;
  return `The handler of ${subject}${place === '' ? '' : ` (${place})`}`;
}

/** Returns handlers in matching order: `once` handlers come first. */
function inOrder(given: readonly Handler[]): Handler[] {
  for (const handler of given) checkHandler(handler);
  // Copied, so that a handler added twice is counted separately.
  const handlers = given.map((handler) => ({ ...handler }));
  return [...handlers.filter(({ once }) => once), ...handlers.filter(({ once }) => !once)];
}

function fits(handler: Handler, request: Request): boolean {
  return isFor(handler, request) && (handler.accepts?.(paramsOf(request)) ?? true);
}

/** Returns the reason why a handler with requests left does not match. */
function conditionOf({ condition }: Handler): string {
  return condition === undefined ? 'does not accept these params' : `answers ${condition}`;
}

function isFor({ method, name }: Handler, request: Request): boolean {
  return method === request.method && (name === undefined || name === nameIn(paramsOf(request)));
}

/** Reports whether a handler answers a limited number of requests. */
function isLimited(handler: Handler): boolean {
  return limitOf(handler) !== undefined;
}

function limitOf({ once, times }: Handler): number | undefined {
  return once ? 1 : times;
}

function nameIn({ name, uri }: Params): unknown {
  return name ?? uri;
}
