import { type Pointer, stepsOf } from '../match/ignore.ts';
import type { JsonPath } from '../protocol/json-scan.ts';
import { isNotification, isObject, isRequest, isResponse, type Message } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';

/** What a value is used for: the same token means different things as an id and as a cursor. */
export type Kind = string;

/** A known place of a message that holds a value which one side made up and the other repeats. */
export interface Place {
  path: JsonPath;
  kind: Kind;
}

/** A handle of the user's own protocol: made up by one side at `capture`, repeated by the other at `use`. */
export interface Handle {
  capture: Pointer;
  use: Pointer;
}

const ID = 'id';
const TOKEN = 'token';
const CURSOR = 'cursor';
const TASK = 'task';
const STATE = 'state';

/** What a request mints for its own lane: its id, and the token for its progress. */
export const REQUEST_PLACES: readonly Place[] = [
  { path: ['id'], kind: ID },
  { path: ['params', '_meta', 'progressToken'], kind: TOKEN },
];

/** Handles that a response mints for the rest of the session (protocol digest: "Volatile values and who must remap"). */
const MINTED: readonly Place[] = [
  { path: ['result', 'nextCursor'], kind: CURSOR },
  { path: ['result', 'requestState'], kind: STATE },
  { path: ['result', 'taskId'], kind: TASK },
  { path: ['result', 'task', 'taskId'], kind: TASK },
];

const USED_IN_REQUEST: readonly Place[] = [
  { path: ['params', 'cursor'], kind: CURSOR },
  { path: ['params', 'requestState'], kind: STATE },
  { path: ['params', 'taskId'], kind: TASK },
  { path: ['params', '_meta', META.relatedTask, 'taskId'], kind: TASK },
];

const USED_IN_RESPONSE: readonly Place[] = [
  { path: ['id'], kind: ID },
  { path: ['result', '_meta', META.subscriptionId], kind: ID },
  { path: ['result', '_meta', META.relatedTask, 'taskId'], kind: TASK },
];

/** Where `message` holds handles that its sender minted for later messages of the peer. */
export function mintedIn(message: Message, handles: readonly Handle[]): Place[] {
  if (!isResponse(message)) return [];
  return [...MINTED, ...userPlaces(message, handles, 'capture')];
}

/** Where `message` repeats what its receiver minted. */
export function usedIn(message: Message, handles: readonly Handle[]): Place[] {
  const user = userPlaces(message, handles, 'use');
  if (isResponse(message)) return [...USED_IN_RESPONSE, ...user];
  if (isRequest(message)) return [...USED_IN_REQUEST, ...listenedTasks(message), ...user];
  if (!isNotification(message)) return [];
  if (message.method === 'notifications/progress')
    return [{ path: ['params', 'progressToken'], kind: TOKEN }];
  if (message.method === 'notifications/cancelled') return [{ path: ['params', 'requestId'], kind: ID }];
  return [{ path: ['params', '_meta', META.subscriptionId], kind: ID }, ...USED_IN_REQUEST, ...user];
}

function listenedTasks({ params }: { params?: Record<string, unknown> }): Place[] {
  const filter = params?.notifications;
  const ids = isObject(filter) && Array.isArray(filter.taskIds) ? filter.taskIds : [];
  return ids.map((_, index) => ({ path: ['params', 'notifications', 'taskIds', index], kind: TASK }));
}

function userPlaces(message: Message, handles: readonly Handle[], end: keyof Handle): Place[] {
  return handles.map((handle, index) => ({ path: pathOf(message, handle[end]), kind: `user ${index}` }));
}

/** The path that a pointer means in `message`: a step into a list is an index. */
function pathOf(message: Message, pointer: Pointer): JsonPath {
  let value: unknown = message;
  return stepsOf(pointer).map((step) => {
    const key = Array.isArray(value) ? Number(step) : step;
    value = isObject(value) ? value[step] : Array.isArray(value) ? value[Number(step)] : undefined;
    return key;
  });
}
