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
import { LISTEN, subjectOf } from '../../protocol/methods.ts';

/** What a value is used for: the same token means different things as an id and as a cursor. */
export type TokenKind = string;

/** A known place of a message that holds a value which one side made up and the other repeats. */
export interface Place {
  path: JsonPath;
  kind: TokenKind;
}

/** A handle of the user's own protocol: made up by one side at `capture`, repeated by the other at `use`. */
export interface TokenRule {
  capture: Pointer;
  use: Pointer;
}

const ID = 'id';
const LISTEN_ID = 'listen';
const TOKEN = 'token';
const TASK = 'task';

/** Every list has cursors of its own, however alike they look. */
const cursorOf = ({ method }: Request): TokenKind => `cursor ${method}`;
const stateOf = ({ method, params }: Request): TokenKind => `state ${subjectOf(method, params)}`;

/** What a request mints for its own sequence: its id, and the token for its progress. */
export function issuedInRequest({ method }: Request): readonly Place[] {
  return method === LISTEN ? MINTED_BY_LISTEN : MINTED;
}

const MINTED: readonly Place[] = [
  { path: ['id'], kind: ID },
  { path: ['params', '_meta', 'progressToken'], kind: TOKEN },
];
const MINTED_BY_LISTEN: readonly Place[] = [...MINTED, { path: ['id'], kind: LISTEN_ID }];

/**
 * Handles that the response to `request` mints for the rest of the session (protocol digest: "Volatile values and who
 * must remap").
 */
export function issuedInResponse(response: Message, request: Request, handles: readonly TokenRule[]): Place[] {
  return [
    { path: ['result', 'nextCursor'], kind: cursorOf(request) },
    { path: ['result', 'requestState'], kind: stateOf(request) },
    { path: ['result', 'taskId'], kind: TASK },
    { path: ['result', 'task', 'taskId'], kind: TASK },
    ...userPlaces(response, handles, 'capture'),
  ];
}

/** Where `message` repeats what its receiver minted. `request`: what it answers, if anything. */
export function referencedIn(
  message: Message,
  request: Request | undefined,
  handles: readonly TokenRule[],
): readonly Place[] {
  const user = userPlaces(message, handles, 'use');
  if (isResponse(message)) {
    const known = usedInResponse(request);
    return user.length === 0 ? known : [...known, ...user];
  }
  if (isRequest(message)) return [...usedInRequest(message), ...user];
  if (!isNotification(message)) return [];
  if (message.method === 'notifications/progress') return [{ path: ['params', 'progressToken'], kind: TOKEN }];
  // A cancel names a request of its own sender, but for the one that ends a subscription (2026-07-28).
  if (message.method === 'notifications/cancelled') return [{ path: ['params', 'requestId'], kind: LISTEN_ID }];
  return [{ path: ['params', '_meta', META.subscriptionId], kind: LISTEN_ID }, ...user];
}

function usedInRequest(request: Request): Place[] {
  return [
    { path: ['params', 'cursor'], kind: cursorOf(request) },
    { path: ['params', 'requestState'], kind: stateOf(request) },
    ...(request.method.startsWith('tasks/') ? [{ path: ['params', 'taskId'], kind: TASK }] : []),
    ...listenedTasks(request),
  ];
}

/** Whoever works on a task minted its id. Asked for its result, it repeats its own; else it was asked in a task's name. */
function usedInResponse(request: Request | undefined): readonly Place[] {
  return request?.method === 'tasks/result' ? USED_IN_ANSWER : USED_IN_RELATED_ANSWER;
}

const USED_IN_ANSWER: readonly Place[] = [
  { path: ['id'], kind: ID },
  { path: ['result', '_meta', META.subscriptionId], kind: LISTEN_ID },
];
const USED_IN_RELATED_ANSWER: readonly Place[] = [
  ...USED_IN_ANSWER,
  { path: ['result', '_meta', META.relatedTask, 'taskId'], kind: TASK },
];

function listenedTasks(request: Request): Place[] {
  const filter = paramsOf(request).notifications;
  const ids = isObject(filter) && Array.isArray(filter.taskIds) ? filter.taskIds : [];
  return ids.map((_, index) => ({ path: ['params', 'notifications', 'taskIds', index], kind: TASK }));
}

function userPlaces(message: Message, handles: readonly TokenRule[], end: keyof TokenRule): readonly Place[] {
  if (handles.length === 0) return NONE;
  return handles.map((handle, index) => ({ path: pathOf(message, handle[end]), kind: `user ${index}` }));
}

/** Nearly nobody has handles. */
const NONE: readonly Place[] = [];

/** The path that a pointer means in `message`: a step into a list is an index. */
function pathOf(message: Message, pointer: Pointer): JsonPath {
  let value: unknown = message;
  return parsePointer(pointer).map((step) => {
    const key = Array.isArray(value) ? Number(step) : step;
    value = isObject(value) ? value[step] : Array.isArray(value) ? value[Number(step)] : undefined;
    return key;
  });
}
