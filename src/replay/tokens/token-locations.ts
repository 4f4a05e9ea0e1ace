import { type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import {
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type Message,
  paramsOf,
  type Request,
} from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { cursorKind, isRequestMethod, isStream, mintsCursor, subjectOf } from '../../protocol/method-table.ts';

/** The use of a token. Equal values of different kinds, such as an id and a cursor, are unrelated. */
export type TokenKind = string;

/** The path of an opaque token in a message: a value that one side issues and the other repeats. */
export interface TokenLocation {
  path: JsonPath;
  kind: TokenKind;
}

/** An opaque token of a user-defined protocol: issued by one side at `capture`, repeated by the other at `use`. */
export interface TokenRule {
  capture: Pointer;
  use: Pointer;
}

const ID = 'id';
const LISTEN_ID = 'listen';
const TOKEN = 'token';
const TASK = 'task';

/**
 * Returns the cursor kind of a list method. Equal cursors of two lists are unrelated. All event positions share one
 * kind.
 */
const cursorOf = ({ method }: Request): TokenKind => `cursor ${cursorKind(method)}`;
const stateOf = ({ method, params }: Request): TokenKind => `state ${subjectOf(method, params)}`;

/**
 * Returns the tokens that a request issues for its own sequence: its id and progress token. The id may also name a
 * subscription.
 */
export function issuedInRequest({ method }: Request): readonly TokenLocation[] {
  return isStream(method) || !isRequestMethod(method) ? ISSUED_BY_LISTEN : ISSUED;
}

const ISSUED: readonly TokenLocation[] = [
  { path: ['id'], kind: ID },
  { path: ['params', '_meta', 'progressToken'], kind: TOKEN },
];
const ISSUED_BY_LISTEN: readonly TokenLocation[] = [...ISSUED, { path: ['id'], kind: LISTEN_ID }];

/**
 * Returns the tokens that the response to `request` issues for the rest of the session: cursors, request states, task
 * ids, and those of user-defined rules.
 */
export function issuedInResponse(response: Message, request: Request, rules: readonly TokenRule[]): TokenLocation[] {
  return [
    { path: ['result', 'nextCursor'], kind: cursorOf(request) },
    ...(mintsCursor(request.method) ? [{ path: ['result', 'cursor'], kind: cursorOf(request) }] : []),
    { path: ['result', 'requestState'], kind: stateOf(request) },
    { path: ['result', 'taskId'], kind: TASK },
    { path: ['result', 'task', 'taskId'], kind: TASK },
    ...userLocations(response, rules, 'capture'),
  ];
}

/**
 * Returns the tokens that a notification issues for the rest of the session: the position of an event in its stream.
 */
export function issuedInNotification(message: unknown): readonly TokenLocation[] {
  const isOfEvents = isNotification(message) && message.method.startsWith('notifications/events/');
  return isOfEvents ? [{ path: ['params', 'cursor'], kind: `cursor ${cursorKind('events/stream')}` }] : [];
}

/** Returns tokens in `message` that its receiver issued. `request` is the request answered by a response. */
export function referencedIn(
  message: Message,
  request: Request | undefined,
  rules: readonly TokenRule[],
): readonly TokenLocation[] {
  const user = userLocations(message, rules, 'use');
  if (isResponse(message)) {
    const known = usedInResponse(request);
    return user.length === 0 ? known : [...known, ...user];
  }
  if (isRequest(message)) return [...usedInRequest(message), ...user];
  if (!isNotification(message)) return [];
  if (message.method === 'notifications/progress') return [{ path: ['params', 'progressToken'], kind: TOKEN }];
  // A cancellation names its sender's own request, except when a server ends a client's subscription (2026-07-28).
  if (message.method === 'notifications/cancelled') return [{ path: ['params', 'requestId'], kind: LISTEN_ID }];
  return [{ path: ['params', '_meta', META.subscriptionId], kind: LISTEN_ID }, ...user];
}

function usedInRequest(request: Request): TokenLocation[] {
  return [
    { path: ['params', 'cursor'], kind: cursorOf(request) },
    { path: ['params', 'requestState'], kind: stateOf(request) },
    ...(request.method.startsWith('tasks/') ? [{ path: ['params', 'taskId'], kind: TASK }] : []),
    ...listenedTasks(request),
  ];
}

/**
 * Returns the tokens that a response repeats. The `relatedTask` in the response to `tasks/result` belongs to the
 * sender; in other responses it belongs to the receiver.
 */
function usedInResponse(request: Request | undefined): readonly TokenLocation[] {
  return request?.method === 'tasks/result' ? USED_IN_ANSWER : USED_IN_RELATED_ANSWER;
}

const USED_IN_ANSWER: readonly TokenLocation[] = [
  { path: ['id'], kind: ID },
  { path: ['result', '_meta', META.subscriptionId], kind: LISTEN_ID },
];
const USED_IN_RELATED_ANSWER: readonly TokenLocation[] = [
  ...USED_IN_ANSWER,
  { path: ['result', '_meta', META.relatedTask, 'taskId'], kind: TASK },
];

function listenedTasks(request: Request): TokenLocation[] {
  const filter = paramsOf(request).notifications;
  const ids = isObject(filter) && Array.isArray(filter.taskIds) ? filter.taskIds : [];
  return ids.map((_, index) => ({ path: ['params', 'notifications', 'taskIds', index], kind: TASK }));
}

function userLocations(message: Message, rules: readonly TokenRule[], end: keyof TokenRule): readonly TokenLocation[] {
  if (rules.length === 0) return NONE;
  return rules.flatMap((rule, index) =>
    pathsOf(message, rule[end]).map((path) => ({ path, kind: `${OF_RULE}${index}` })),
  );
}

const OF_RULE = 'user ';

/** Reports whether a user-defined rule names the place of a token. */
export function isOfRule({ kind }: TokenLocation): boolean {
  return kind.startsWith(OF_RULE);
}

/** Shared empty list, because most sessions have no rules. */
const NONE: readonly TokenLocation[] = [];

/**
 * Converts a JSON Pointer to paths in `message`: a step into an array becomes an index, and `*` each key or index. The
 * path of a pointer without `*` need not exist in the message.
 */
export function pathsOf(message: Message, pointer: Pointer): JsonPath[] {
  let places: { path: JsonPath; value: unknown }[] = [{ path: [], value: message }];
  for (const step of parsePointer(pointer)) places = places.flatMap((place) => nextPlaces(place, step));
  return places.map(({ path }) => path);
}

function nextPlaces({ path, value }: { path: JsonPath; value: unknown }, step: string) {
  if (Array.isArray(value)) {
    const indexes = step === '*' ? [...value.keys()] : [Number(step)];
    return indexes.map((index) => ({ path: [...path, index], value: value[index] as unknown }));
  }
  const keys = step !== '*' ? [step] : isObject(value) ? Object.keys(value) : [];
  return keys.map((key) => ({ path: [...path, key], value: isObject(value) ? value[key] : undefined }));
}
