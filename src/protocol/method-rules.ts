import { isObject, type Params } from './message.ts';

/**
 * How often recorded answers to equal requests serve. `once`: each one time, as of calls. `last`: the last one repeats, as of
 * lists and polls. `cycle`: after the last one comes the first.
 */
export type Repeat = 'once' | 'last' | 'cycle';

/** The same for every method, or by method; others as the protocol has it. */
export type RepeatOption = Repeat | Readonly<Record<string, Repeat>>;

interface MethodRule {
  /** Params that identify a request of this method. Comparison skips all others. */
  identity: readonly string[];
  repeat: Repeat;
}

/** A request that stays open for what happens later, and is not worked on meanwhile (2026-07-28). */
export const LISTEN = 'subscriptions/listen';

const LIST: MethodRule = { identity: ['cursor'], repeat: 'last' };
const INPUT = 'inputResponses';

/** The method table of the protocol (all revisions, both directions): what makes two requests the same request. */
const METHODS: ReadonlyMap<string, MethodRule> = new Map(
  Object.entries<MethodRule>({
    initialize: { identity: [], repeat: 'once' },
    'server/discover': { identity: [], repeat: 'last' },
    ping: { identity: [], repeat: 'last' },
    'tools/list': LIST,
    'prompts/list': LIST,
    'resources/list': LIST,
    'resources/templates/list': LIST,
    'tools/call': { identity: ['name', 'arguments', 'task', INPUT], repeat: 'once' },
    'prompts/get': { identity: ['name', 'arguments', INPUT], repeat: 'once' },
    'resources/read': { identity: ['uri', INPUT], repeat: 'once' },
    'resources/subscribe': { identity: ['uri'], repeat: 'once' },
    'resources/unsubscribe': { identity: ['uri'], repeat: 'once' },
    [LISTEN]: { identity: ['notifications'], repeat: 'once' },
    'completion/complete': { identity: ['ref', 'argument', 'context'], repeat: 'once' },
    'logging/setLevel': { identity: ['level'], repeat: 'last' },
    'roots/list': { identity: [], repeat: 'last' },
    'elicitation/create': { identity: ['mode', 'message', 'requestedSchema'], repeat: 'once' },
    'tasks/get': { identity: ['taskId'], repeat: 'last' },
    'tasks/result': { identity: ['taskId'], repeat: 'once' },
    'tasks/cancel': { identity: ['taskId'], repeat: 'once' },
    'tasks/update': { identity: ['taskId', INPUT], repeat: 'once' },
    'tasks/list': LIST,
    'notifications/cancelled': { identity: ['requestId'], repeat: 'once' },
  }),
);

/** The methods of the protocol's requests. */
export const METHOD_NAMES: readonly string[] = [...METHODS.keys(), 'sampling/createMessage'].filter(
  (method) => !method.startsWith('notifications/'),
);

/** Whether the protocol has requests of this method. */
export function isRequestMethod(method: string): boolean {
  return METHODS.has(method) && !method.startsWith('notifications/');
}

/** Methods of extensions that end with `/list` are lists as well. */
export function repeatOf(method: string, option?: RepeatOption): Repeat {
  const wanted = typeof option === 'string' ? option : option?.[method];
  if (wanted !== undefined) return wanted;
  return METHODS.get(method)?.repeat ?? (method.endsWith('/list') ? 'last' : 'once');
}

/** The params that identify a request of `method`, by their names. Undefined: all but `_meta`. */
export function identityNames(method: string): readonly string[] | undefined {
  return METHODS.get(method)?.identity;
}

/**
 * The part of `params` that identifies a request or notification of `method`. A method that the table does not know
 * is identified by all its params but `_meta`. Absent arguments equal empty ones, and of a task only its presence counts.
 */
export function identityParams(method: string, asked: unknown): Params {
  const params = isObject(asked) ? asked : {};
  const names = identityNames(method);
  const identity = names ? chosen(params, names) : withoutMeta(params);
  if (isObject(identity.arguments) && Object.keys(identity.arguments).length === 0) delete identity.arguments;
  if (identity.task !== undefined) identity.task = true;
  return identity;
}

function chosen(params: Params, names: readonly string[]): Params {
  const some: Params = {};
  for (const name of names) if (params[name] !== undefined) some[name] = params[name];
  return some;
}

function withoutMeta({ _meta, ...params }: Params): Params {
  return params;
}

/** The tool, prompt or resource a request is about, for people: `tools/call "add"`. */
export function subjectOf(method: string, params: unknown): string {
  const { name, uri, taskId } = isObject(params) ? params : {};
  const subject = name ?? uri ?? taskId;
  return typeof subject === 'string' ? `${method} "${subject}"` : method;
}
