import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { expressionProblem } from '../../kernel/linear-regex.ts';
import { type FieldProblem, fieldProblem, leavesOf, type Path } from '../../kernel/validate-fields.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { compilePattern } from '../../match/value-pattern.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';
import { isObject, type Params, type RpcError } from '../../protocol/message.ts';
import { methodProblem } from '../../protocol/method-problem.ts';
import { type Handler, type HandlerContext, prompt, RpcFailure, request, resource, tool } from '../handler.ts';
import { delayed } from '../handler-context.ts';
import { writtenResultProblem } from '../results/written-result-problem.ts';
import { ANSWER, ITEMS } from './mock-file-keys.ts';
import { expressionsIn, fillIn, templateProblem } from './response-template.ts';

/** Dependencies of handlers in a mock file. */
export interface WrittenMockContext {
  /** Clock for delays and `{{now}}`. */
  clock: Clock;
  /** Returns the place of a path in the file, for messages. */
  placeOf(path: Path): string;
}

type ListName = keyof typeof ITEMS;

interface WrittenAnswer {
  when?: Params;
  returns?: unknown;
  error?: RpcError;
  delay?: Milliseconds;
  times?: number;
  progress?: { progress: number; total?: number; message?: string }[];
  notify?: { method: string; params?: Params }[];
}

type WrittenItem = {
  name?: string;
  uri?: string;
  method?: string;
  answers: WrittenAnswer[];
  [option: string]: unknown;
};

/** Returns a handler for each answer of a mock file's lists, in their order, or the first problem. */
export function writtenHandlers(
  lists: Readonly<Record<string, unknown>>,
  context: WrittenMockContext,
): Handler[] | FieldProblem {
  const handlers: Handler[] = [];
  for (const list of Object.keys(ITEMS) as ListName[]) {
    const known = new Set<string>();
    for (const [index, item] of ((lists[list] as unknown[]) ?? []).entries()) {
      const path = [list, index];
      const problem = itemProblem(item, list, path) ?? answersProblem(item as WrittenItem, list, path);
      if (problem) return problem;
      const written = item as WrittenItem;
      const key = written.uri ?? written.name ?? written.method!;
      if (known.has(key)) return { path, why: `"${key}" is here twice`, next: 'Put all its answers into one list.' };
      known.add(key);
      for (const [at, answer] of written.answers.entries()) {
        const here = [...path, 'answers', at];
        const handler = {
          ...handlerOf(list, written, { answer, place: context.placeOf(here), clock: context.clock }),
          ...argumentsPlace(written, path, context),
        };
        const why = answer.error ? undefined : writtenResultProblem(handler, answer.returns);
        if (why !== undefined)
          return { path: [...here, 'returns'], why: `it is no answer: ${why}`, next: RETURNS[list] };
        handlers.push(handler);
      }
    }
  }
  return handlers;
}

/** Returns the place where an item defines its arguments. Empty if the item does not define any. */
function argumentsPlace(
  item: WrittenItem,
  path: Path,
  { placeOf }: WrittenMockContext,
): Pick<Handler, 'argumentsPlace'> {
  const key = ['inputSchema', 'arguments'].find((one) => item[one] !== undefined);
  return key === undefined ? {} : { argumentsPlace: placeOf([...path, key]) };
}

/** Request method of each list. Each item of `requests` has its own method. */
const METHODS: Readonly<Record<ListName, string | undefined>> = {
  tools: 'tools/call',
  resources: 'resources/read',
  prompts: 'prompts/get',
  requests: undefined,
};

/** Valid values of `returns` for each list, for messages. */
const RETURNS: Readonly<Record<ListName, string>> = {
  tools: 'Write a text, a number, a list of content blocks, structured content, or a whole result.',
  resources: 'Write a text, a list of contents, or a whole result.',
  prompts: 'Write a text, a list of messages, or a whole result.',
  requests: 'Write a mapping, which is the result.',
};

interface PlacedAnswer {
  answer: WrittenAnswer;
  place: string;
  clock: Clock;
}

function handlerOf(list: ListName, item: WrittenItem, { answer, place, clock }: PlacedAnswer): Handler {
  const { answers, name = '', uri = '', method = '', definition: further, ...options } = item;
  const { when, times } = answer;
  const handle = (context: HandlerContext) => give(answer, context, { place, clock });
  const made = {
    tools: () => tool(name, (_, context) => handle(context), options),
    prompts: () => prompt(name, (_, context) => handle(context), options),
    resources: () => resource(uri, (_, context) => handle(context), { ...options, ...(name !== '' && { name }) }),
    requests: () => request(method, (_, context) => handle(context)),
  }[list]();
  const accepts = when && compilePattern(list === 'requests' ? when : { arguments: when });
  const { definition } = made;
  return {
    ...made,
    ...(definition && { definition: { ...definition, item: { ...(further as Params), ...definition.item } } }),
    place,
    ...(times !== undefined && { times }),
    ...(accepts && {
      accepts: (params: Params) => accepts({ arguments: {}, ...params }),
      condition: JSON.stringify(when),
    }),
  };
}

/** Sends an answer as written, with its templates filled in. */
async function give(
  { returns, error, delay, progress = [], notify = [] }: WrittenAnswer,
  context: HandlerContext,
  { place, clock }: Omit<PlacedAnswer, 'answer'>,
): Promise<unknown> {
  const values = { request: context.request, place, date: clock.date() };
  for (const { progress: done, ...details } of fillIn(progress, values) as NonNullable<WrittenAnswer['progress']>)
    context.progress(done, details);
  for (const { method, params } of fillIn(notify, values) as NonNullable<WrittenAnswer['notify']>)
    context.notify(method, params);
  if (delay !== undefined) await delayed(clock, delay, context.signal);
  const now = { ...values, date: clock.date() };
  if (error) throw new RpcFailure(fillIn(error, now) as RpcError);
  return fillIn(returns, now);
}

function itemProblem(item: unknown, list: ListName, path: Path): FieldProblem | undefined {
  const problem = fieldProblem(item, ITEMS[list], path);
  if (problem) return problem;
  const { answers, method } = item as WrittenItem;
  const wrong = list === 'requests' ? methodProblem(method, 'request') : undefined;
  if (wrong) return { path: [...path, 'method'], ...wrong };
  if (answers.length > 0) return undefined;
  return { path: [...path, 'answers'], why: 'it has no answers', next: 'Write at least one: - returns: some text' };
}

function answersProblem(item: WrittenItem, list: ListName, path: Path): FieldProblem | undefined {
  for (const [at, answer] of item.answers.entries()) {
    const here = [...path, 'answers', at];
    const problem =
      fieldProblem(answer, ANSWER, here) ??
      answerProblem(answer, list, here) ??
      templateProblem(answer, here, METHODS[list] ?? item.method!) ??
      namesProblem(answer, item, here);
    if (problem) return problem;
  }
  return unreachedProblem(item, path);
}

/**
 * Returns the problem of an answer that is never used, because an earlier answer without `times` matches the same
 * requests.
 */
function unreachedProblem({ answers }: WrittenItem, path: Path): FieldProblem | undefined {
  for (const [at, { when }] of answers.entries()) {
    const before = answers.slice(0, at).find((one) => one.times === undefined && isWithin(when, one.when));
    if (before === undefined) continue;
    const isAll = Object.keys(before.when ?? {}).length === 0;
    return {
      path: [...path, 'answers', at],
      why: `it is never given: an answer before it fits ${isAll ? 'every request' : 'the same requests'}`,
      next: isAll
        ? 'Give that one a "when" or "times", or put it last.'
        : 'Give that one "times", or put it after this.',
    };
  }
  return undefined;
}

/** Reports whether all requests that match a condition also match the `wider` one. */
function isWithin(when: Params = {}, wider: Params = {}): boolean {
  return Object.entries(wider).every(
    ([key, value]) => Object.hasOwn(when, key) && canonicalJson(when[key]) === canonicalJson(value),
  );
}

function answerProblem(answer: WrittenAnswer, list: ListName, path: Path): FieldProblem | undefined {
  const { when, returns, error, progress = [], notify = [] } = answer;
  if ((returns === undefined) === (error === undefined)) {
    const why = returns === undefined ? 'it has no answer' : 'it has two answers';
    return { path, why, next: 'Write one of: returns, error.' };
  }
  if (error !== undefined && !(Number.isSafeInteger(error.code) && typeof error.message === 'string')) {
    const why = 'a JSON-RPC error has a code, a whole number, and a message';
    return { path: [...path, 'error'], why, next: 'Write error: { code: -32050, message: over quota }' };
  }
  if (list === 'resources' && when !== undefined)
    return { path: [...path, 'when'], why: 'a resource has no arguments', next: 'Leave "when" out.' };
  const isProgress = (one: unknown) => isObject(one) && typeof one.progress === 'number';
  if (!progress.every(isProgress))
    return { path: [...path, 'progress'], why: 'progress has a number', next: 'Write - { progress: 1, total: 2 }' };
  return notifyProblem(notify, path) ?? expressionProblem(when ?? {}, [...path, 'when']);
}

function notifyProblem(notify: readonly unknown[], path: Path): FieldProblem | undefined {
  const next = 'Write - { method: METHOD, params: { … } }';
  for (const [at, one] of notify.entries()) {
    const here = [...path, 'notify', at];
    if (!isObject(one) || typeof one.method !== 'string')
      return { path: here, why: 'a notification has a method', next };
    // Templates are filled in while answering: only a fixed method can be checked now.
    const isOpen = expressionsIn(one.method).length > 0;
    const problem = isOpen ? undefined : methodProblem(one.method, 'notification');
    if (problem) return { path: [...here, 'method'], ...problem };
  }
  return undefined;
}

/**
 * Returns the problem of an argument, named in a condition or template, that is missing in the tool's input schema or
 * the prompt's arguments.
 */
function namesProblem(answer: WrittenAnswer, item: WrittenItem, path: Path): FieldProblem | undefined {
  const known = argumentsOf(item);
  if (known === undefined) return undefined;
  const { when = {}, ...written } = answer;
  const advice = (name: string) => {
    const meant = didYouMean(name, known);
    return meant === undefined ? `It may be: ${known.join(', ') || 'none'}.` : `Did you mean "${meant}"?`;
  };
  const stranger = Object.keys(when).find((name) => !known.includes(name));
  if (stranger !== undefined)
    return { path: [...path, 'when', stranger], why: `there is no argument "${stranger}"`, next: advice(stranger) };
  for (const leaf of leavesOf(written, path)) {
    for (const expression of expressionsIn(leaf.value).filter((one) => one.startsWith('/params/arguments/'))) {
      const name = parsePointer(expression)[2]!;
      if (!known.includes(name))
        return { path: leaf.path, why: `{{${expression}}} names no argument`, next: advice(name) };
    }
  }
  return undefined;
}

/** Returns the argument names of an item, or `undefined` if the item does not restrict them. */
function argumentsOf({ inputSchema, arguments: listed }: WrittenItem): string[] | undefined {
  if (Array.isArray(listed))
    return listed.flatMap((one) => (isObject(one) && typeof one.name === 'string' ? [one.name] : []));
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return undefined;
  const isOpen = 'patternProperties' in inputSchema || (inputSchema.additionalProperties ?? false) !== false;
  return isOpen ? undefined : Object.keys(inputSchema.properties);
}
