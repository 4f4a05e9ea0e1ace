import { isObject, type Params } from './message.ts';

/**
 * Reuse of recorded answers for equal requests. `once`: each answer serves one time, as for calls. `last`: the last
 * answer repeats, as for lists and polls. `cycle`: the answers start over after the last one.
 */
export type Repeat = 'once' | 'last' | 'cycle';

/** One reuse rule for every method, or rules by method. Methods without a rule follow the method table. */
export type RepeatOption = Repeat | Readonly<Record<string, Repeat>>;

/** Kind of items in a result. */
export interface Listed {
  /** Result field with the items. */
  field: string;
  /** Singular noun for an item. */
  noun: string;
}

/** Path of a capability in the declared capabilities. */
export type CapabilityPath = readonly string[];

/** Identifiers of official extensions in `capabilities.extensions`. */
export const EXTENSIONS = {
  skills: 'io.modelcontextprotocol/skills',
  events: 'io.modelcontextprotocol/events',
  tasks: 'io.modelcontextprotocol/tasks',
} as const;

interface MethodRule {
  /** Names of the params that identify a request. Comparison skips all other params. */
  identity: readonly string[];
  repeat: Repeat;
  /** `poll`: the client's timer decides when it is sent. `stream`: the request stays open for later events. */
  kind?: 'poll' | 'stream';
  lists?: Listed;
  /** Result field with the items of a poll, to which later polls add. */
  collects?: string;
  /**
   * Kind of the token that the result's `cursor` field holds. Absent: the method returns at most a list's `nextCursor`.
   */
  mintsCursor?: string;
  /** Capability that the receiver has to declare. */
  needs?: CapabilityPath;
  /** The capability from 2026-07-28 on, if it changed. */
  needsModern?: CapabilityPath;
}

/** Method of a request that stays open for later events; the server does not process it meanwhile (2026-07-28). */
export const LISTEN = 'subscriptions/listen';

const INPUT = 'inputResponses';
/** Params of a call that is made again after `input_required`. The state came in that result. */
const RETRY: readonly string[] = [INPUT, 'requestState'];
const SKILLS: CapabilityPath = ['extensions', EXTENSIONS.skills];
const EVENTS: CapabilityPath = ['extensions', EXTENSIONS.events];
const TASKS = { needs: ['tasks'], needsModern: ['extensions', EXTENSIONS.tasks] } as const;
/** Cursor kind of event streams. Polls, streams and subscriptions share it. */
const POSITION = 'event position';

function list(field: string, noun: string, needs: CapabilityPath): MethodRule {
  return { identity: ['cursor'], repeat: 'last', lists: { field, noun }, needs };
}

/** The method table of the protocol and its official extensions (all revisions, both directions). */
const METHODS: ReadonlyMap<string, MethodRule> = new Map(
  Object.entries<MethodRule>({
    initialize: { identity: [], repeat: 'once' },
    'server/discover': { identity: [], repeat: 'last' },
    ping: { identity: [], repeat: 'last', kind: 'poll' },
    'tools/list': list('tools', 'tool', ['tools']),
    'prompts/list': list('prompts', 'prompt', ['prompts']),
    'resources/list': list('resources', 'resource', ['resources']),
    'resources/templates/list': list('resourceTemplates', 'resource template', ['resources']),
    'tools/call': { identity: ['name', 'arguments', 'task', ...RETRY], repeat: 'once', needs: ['tools'] },
    'prompts/get': { identity: ['name', 'arguments', ...RETRY], repeat: 'once', needs: ['prompts'] },
    'resources/read': { identity: ['uri', ...RETRY], repeat: 'once', needs: ['resources'] },
    'resources/subscribe': { identity: ['uri'], repeat: 'once', needs: ['resources', 'subscribe'] },
    'resources/unsubscribe': { identity: ['uri'], repeat: 'once', needs: ['resources', 'subscribe'] },
    [LISTEN]: { identity: ['notifications'], repeat: 'once', kind: 'stream' },
    'completion/complete': { identity: ['ref', 'argument', 'context'], repeat: 'once', needs: ['completions'] },
    'logging/setLevel': { identity: ['level'], repeat: 'last', needs: ['logging'] },
    'roots/list': { identity: [], repeat: 'last', needs: ['roots'] },
    'elicitation/create': {
      identity: ['mode', 'message', 'requestedSchema'],
      repeat: 'once',
      needs: ['elicitation'],
    },
    'tasks/get': { identity: ['taskId'], repeat: 'last', kind: 'poll', ...TASKS },
    'tasks/result': { identity: ['taskId'], repeat: 'once', ...TASKS },
    'tasks/cancel': { identity: ['taskId'], repeat: 'once', ...TASKS },
    'tasks/update': { identity: ['taskId', INPUT], repeat: 'once', ...TASKS },
    'tasks/list': { identity: ['cursor'], repeat: 'last', ...TASKS },
    'skills/list': list('skills', 'skill', SKILLS),
    'skills/get': { identity: ['uri'], repeat: 'last', needs: SKILLS },
    'resources/directory/read': {
      identity: ['uri', 'cursor'],
      repeat: 'last',
      lists: { field: 'resources', noun: 'resource' },
      needs: [...SKILLS, 'directoryRead'],
    },
    'events/list': list('events', 'event type', EVENTS),
    'events/poll': {
      identity: ['name', 'arguments'],
      repeat: 'last',
      kind: 'poll',
      collects: 'events',
      mintsCursor: POSITION,
      needs: EVENTS,
    },
    'events/stream': {
      identity: ['name', 'arguments'],
      repeat: 'once',
      kind: 'stream',
      mintsCursor: POSITION,
      needs: EVENTS,
    },
    // Clients repeat the request before the subscription expires.
    'events/subscribe': { identity: ['name', 'arguments'], repeat: 'last', mintsCursor: POSITION, needs: EVENTS },
    'events/unsubscribe': { identity: ['name', 'arguments'], repeat: 'once', needs: EVENTS },
    'notifications/cancelled': { identity: ['requestId'], repeat: 'once' },
  }),
);

/** Required capability of the sender, by notification method. */
const NOTIFICATION_NEEDS: ReadonlyMap<string, CapabilityPath> = new Map([
  ['notifications/message', ['logging']],
  ['notifications/tools/list_changed', ['tools', 'listChanged']],
  ['notifications/prompts/list_changed', ['prompts', 'listChanged']],
  ['notifications/resources/list_changed', ['resources', 'listChanged']],
  ['notifications/roots/list_changed', ['roots', 'listChanged']],
  ['notifications/resources/updated', ['resources', 'subscribe']],
  ['notifications/events/list_changed', [...EVENTS, 'listChanged']],
]);

/** Required capability of the client, by method of the server's request. */
export const CLIENT_CAPABILITIES: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
]);

/** The methods of the protocol's requests. */
export const METHOD_NAMES: readonly string[] = [...METHODS.keys(), 'sampling/createMessage'].filter(
  (method) => !method.startsWith('notifications/'),
);

/** Kinds of listed items, by list method. */
export const LISTS: ReadonlyMap<string, Listed> = new Map(
  [...METHODS].flatMap(([method, { lists }]) => (lists ? [[method, lists] as const] : [])),
);

/**
 * Returns the result field that grows with each page of a list or with each poll. Undefined: every answer is complete.
 */
export function collectedField(method: string): string | undefined {
  const rule = METHODS.get(method);
  return rule?.lists?.field ?? rule?.collects;
}

/** Reports whether a request asks for the next page or poll of an earlier request with the same method. */
export function isContinued(method: string, params: unknown): boolean {
  const { cursor } = isObject(params) ? params : {};
  return collectedField(method) !== undefined && cursor !== undefined && cursor !== null;
}

/** Reports whether the protocol or an official extension has requests of this method. */
export function isRequestMethod(method: string): boolean {
  return METHODS.has(method) && !method.startsWith('notifications/');
}

/** Reports whether a request of this method stays open for later events. */
export function isStream(method: string): boolean {
  return METHODS.get(method)?.kind === 'stream';
}

/** Reports whether timers decide when this method is sent. Nothing may wait for such a request. */
export function isPoll(method: string): boolean {
  return METHODS.get(method)?.kind === 'poll';
}

/**
 * Returns the reuse rule for answers to `method`. An unknown method counts as a list if its name ends with `/list`. It
 * also counts as one if its recorded `result` has a next page, a lifetime or the time of the next poll, because clients
 * may repeat such a request.
 */
export function repeatOf(method: string, option?: RepeatOption, result?: unknown): Repeat {
  const wanted = typeof option === 'string' ? option : option?.[method];
  if (wanted !== undefined) return wanted;
  const rule = METHODS.get(method);
  if (rule !== undefined) return rule.repeat;
  if (method.endsWith('/list')) return 'last';
  return ASKED_AGAIN.some((field) => isObject(result) && result[field] !== undefined) ? 'last' : 'once';
}

const ASKED_AGAIN: readonly string[] = ['nextPollMs', 'ttlMs', 'nextCursor'];

/** Returns the kind of the `cursor` token in requests and results of `method`. Each list has its own kind. */
export function cursorKind(method: string): string {
  return METHODS.get(method)?.mintsCursor ?? method;
}

/** Reports whether results of `method` have a `cursor`: the position after their items. */
export function mintsCursor(method: string): boolean {
  return METHODS.get(method)?.mintsCursor !== undefined;
}

/**
 * Returns the capability that the receiver of a request, or the sender of a notification, has to declare. Undefined:
 * the method needs none or is unknown.
 */
export function capabilityOf(
  method: string,
  { modern = false }: { modern?: boolean } = {},
): CapabilityPath | undefined {
  const rule = METHODS.get(method);
  if (method === 'sampling/createMessage') return ['sampling'];
  return (modern ? rule?.needsModern : undefined) ?? rule?.needs ?? NOTIFICATION_NEEDS.get(method);
}

/**
 * Returns the path of a capability in the draft of its extension, which peers declare and look for as well. Undefined:
 * the draft has no other. Events were at `events` (SEP-3415, design sketch of its working group).
 */
export function draftPath([holder, extension, ...rest]: CapabilityPath): CapabilityPath | undefined {
  return holder === 'extensions' && extension === EXTENSIONS.events ? ['events', ...rest] : undefined;
}

/** Reports whether declared capabilities contain the capability at `path`, or at that of its draft. */
export function isDeclared(path: CapabilityPath, declared: unknown): boolean {
  return [path, draftPath(path) ?? path].some((steps) => {
    let value = declared;
    for (const step of steps) value = isObject(value) ? value[step] : undefined;
    return value !== undefined && value !== false && value !== null;
  });
}

/** Returns the names of the params that identify a request of `method`. Undefined: all params except `_meta` do. */
export function identityNames(method: string): readonly string[] | undefined {
  return METHODS.get(method)?.identity;
}

/**
 * Returns the params that identify a request or notification of `method`. For an unknown method, all params except
 * `_meta` do. Absent arguments equal empty ones. Only the presence of `task` counts, not its value.
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

/** Returns a method with its tool, prompt, resource or task, for people: `tools/call "add"`. */
export function subjectOf(method: string, params: unknown): string {
  const { name, uri, taskId } = isObject(params) ? params : {};
  const subject = name ?? uri ?? taskId;
  return typeof subject === 'string' ? `${method} "${subject}"` : method;
}
