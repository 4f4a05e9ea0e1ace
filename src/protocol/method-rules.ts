import { isObject, type Params } from './message.ts';

/**
 * How often recorded answers to equal requests serve. `once`: each one time, as of calls. `last`: the last one repeats, as of
 * lists and polls. `cycle`: after the last one comes the first.
 */
export type Repeat = 'once' | 'last' | 'cycle';

/** The same for every method, or by method; others as the protocol has it. */
export type RepeatOption = Repeat | Readonly<Record<string, Repeat>>;

/** What a result lists. */
export interface Listed {
  /** The field of the result that holds the items. */
  field: string;
  /** The word for one of them. */
  noun: string;
}

/** A capability, as the steps that lead to it in the declared capabilities. */
export type CapabilityPath = readonly string[];

/** Identifiers of official extensions, as sides declare them in `capabilities.extensions`. */
export const EXTENSIONS = {
  skills: 'io.modelcontextprotocol/skills',
  events: 'io.modelcontextprotocol/events',
  tasks: 'io.modelcontextprotocol/tasks',
} as const;

interface MethodRule {
  /** Params that identify a request of this method. Comparison skips all others. */
  identity: readonly string[];
  repeat: Repeat;
  /** `poll`: the client's timer decides how often it is sent. `stream`: it stays open for what happens later. */
  kind?: 'poll' | 'stream';
  lists?: Listed;
  /** The field of the result that each further poll adds to. */
  collects?: string;
  /** The kind of token that the method mints as `cursor` in its result. Absent: only lists mint cursors, as `nextCursor`. */
  mintsCursor?: string;
  /** The capability that the receiver declares. */
  needs?: CapabilityPath;
  /** The same from 2026-07-28 on, where it is another. */
  needsModern?: CapabilityPath;
}

/** A request that stays open for what happens later, and is not worked on meanwhile (2026-07-28). */
export const LISTEN = 'subscriptions/listen';

const INPUT = 'inputResponses';
const SKILLS: CapabilityPath = ['extensions', EXTENSIONS.skills];
const EVENTS: CapabilityPath = ['extensions', EXTENSIONS.events];
const TASKS = { needs: ['tasks'], needsModern: ['extensions', EXTENSIONS.tasks] } as const;
/** Positions in a stream of events: the same for polls, streams and subscriptions. */
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
    'tools/call': { identity: ['name', 'arguments', 'task', INPUT], repeat: 'once', needs: ['tools'] },
    'prompts/get': { identity: ['name', 'arguments', INPUT], repeat: 'once', needs: ['prompts'] },
    'resources/read': { identity: ['uri', INPUT], repeat: 'once', needs: ['resources'] },
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
    // Clients send it again before the subscription expires.
    'events/subscribe': { identity: ['name', 'arguments'], repeat: 'last', mintsCursor: POSITION, needs: EVENTS },
    'events/unsubscribe': { identity: ['name', 'arguments'], repeat: 'once', needs: EVENTS },
    'notifications/cancelled': { identity: ['requestId'], repeat: 'once' },
  }),
);

/** The capability that the sender of a notification declares, by the notification's method. */
const NOTIFICATION_NEEDS: ReadonlyMap<string, CapabilityPath> = new Map([
  ['notifications/message', ['logging']],
  ['notifications/tools/list_changed', ['tools', 'listChanged']],
  ['notifications/prompts/list_changed', ['prompts', 'listChanged']],
  ['notifications/resources/list_changed', ['resources', 'listChanged']],
  ['notifications/roots/list_changed', ['roots', 'listChanged']],
  ['notifications/resources/updated', ['resources', 'subscribe']],
  ['notifications/events/list_changed', [...EVENTS, 'listChanged']],
]);

/** The methods of the protocol's requests. */
export const METHOD_NAMES: readonly string[] = [...METHODS.keys(), 'sampling/createMessage'].filter(
  (method) => !method.startsWith('notifications/'),
);

/** What the results of list methods hold, by method. */
export const LISTS: ReadonlyMap<string, Listed> = new Map(
  [...METHODS].flatMap(([method, { lists }]) => (lists ? [[method, lists] as const] : [])),
);

/** The field of a result that the next page of a list, or the next poll, adds to. Undefined: each answer is whole. */
export function collectedField(method: string): string | undefined {
  const rule = METHODS.get(method);
  return rule?.lists?.field ?? rule?.collects;
}

/** Whether a request goes on where an earlier one of its method ended: with the next page, or the next poll. */
export function isContinued(method: string, params: unknown): boolean {
  const { cursor } = isObject(params) ? params : {};
  return collectedField(method) !== undefined && cursor !== undefined && cursor !== null;
}

/** Whether the protocol or an official extension has requests of this method. */
export function isRequestMethod(method: string): boolean {
  return METHODS.has(method) && !method.startsWith('notifications/');
}

/** Whether a request of this method stays open for what happens later, and is not worked on meanwhile. */
export function isStream(method: string): boolean {
  return METHODS.get(method)?.kind === 'stream';
}

/** Whether timers decide how often a request of this method is sent, so that nothing may wait for it. */
export function isPoll(method: string): boolean {
  return METHODS.get(method)?.kind === 'poll';
}

/**
 * Returns how often answers to `method` serve. A method that the table does not know is a list by its name, or by its recorded
 * `result`: an answer with a next page, a lifetime or the time of the next poll may be asked for again.
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

/** The kind of token that `cursor` is in a request of `method`, and that its result mints. Each list has its own. */
export function cursorKind(method: string): string {
  return METHODS.get(method)?.mintsCursor ?? method;
}

/** Whether results of `method` mint a `cursor`, as the position after what they hold. */
export function mintsCursor(method: string): boolean {
  return METHODS.get(method)?.mintsCursor !== undefined;
}

/**
 * Returns the capability that the receiver of a request, or the sender of a notification, has to declare. Undefined: none, or
 * the method is unknown.
 */
export function capabilityOf(
  method: string,
  { modern = false }: { modern?: boolean } = {},
): CapabilityPath | undefined {
  const rule = METHODS.get(method);
  if (method === 'sampling/createMessage') return ['sampling'];
  return (modern ? rule?.needsModern : undefined) ?? rule?.needs ?? NOTIFICATION_NEEDS.get(method);
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
