import { isObject, type Params } from './message.ts';

/** How often one recorded answer may serve. `once`: calls. `last`: lists and polls, whose last answer repeats. */
export type Repeat = 'once' | 'last';

interface MethodRule {
  /** The params that identify a request of this method; all others are passed over when requests are compared. */
  identity: readonly string[];
  repeat: Repeat;
}

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
    'subscriptions/listen': { identity: ['notifications'], repeat: 'once' },
    'completion/complete': { identity: ['ref', 'argument', 'context'], repeat: 'once' },
    'logging/setLevel': { identity: ['level'], repeat: 'last' },
    'roots/list': { identity: [], repeat: 'last' },
    'elicitation/create': { identity: ['mode', 'message', 'requestedSchema'], repeat: 'once' },
    'tasks/get': { identity: ['taskId'], repeat: 'last' },
    'tasks/result': { identity: ['taskId'], repeat: 'once' },
    'tasks/cancel': { identity: ['taskId'], repeat: 'once' },
    'tasks/update': { identity: ['taskId', INPUT], repeat: 'once' },
    'tasks/list': LIST,
  }),
);

/** Params that say nothing about what a request means: nothing of `_meta` identifies it. */
const NEVER_IDENTITY = '_meta';

export function repeatOf(method: string): Repeat {
  return METHODS.get(method)?.repeat ?? 'once';
}

/**
 * The part of `params` that identifies a request or notification of `method`. A method that the table does not know
 * is identified by all its params but `_meta`. Absent arguments equal empty ones, and of a task only its presence counts.
 */
export function identityParams(method: string, params: Params | undefined): Params {
  const rule = METHODS.get(method);
  const identity: Params = {};
  for (const name of rule?.identity ?? Object.keys(params ?? {})) {
    const value = params?.[name];
    if (value === undefined || name === NEVER_IDENTITY) continue;
    if (name === 'arguments' && isObject(value) && Object.keys(value).length === 0) continue;
    identity[name] = name === 'task' ? true : value;
  }
  return identity;
}

/** The tool, prompt or resource a request is about, for people: `tools/call "add"`. */
export function subjectOf(method: string, params: Params | undefined): string {
  const name = params?.name ?? params?.uri ?? params?.taskId;
  return typeof name === 'string' ? `${method} "${name}"` : method;
}
