import type { Pointer } from '../protocol/json-pointer.ts';
import { META } from '../protocol/meta.ts';
import { ExactNumber } from './exact-json-value.ts';
import { escapeStep, type Ignore } from './ignore-rules.ts';
import { pointerReplacer, type Replace } from './pointer-remover.ts';

type Type = 'string' | 'number' | 'null' | 'object';

/** Rules of the specification for a volatile value: permitted types, and whether the value is required. */
interface Volatile {
  types: readonly Type[];
  isRequired?: true;
}

const TEXT: Volatile = { types: ['string'] };
const REQUIRED_TEXT: Volatile = { types: ['string'], isRequired: true };
const NUMBER: Volatile = { types: ['number'] };
const LIFETIME: Volatile = { types: ['number', 'null'], isRequired: true };
const ANY: Volatile = { types: ['string', 'number', 'null', 'object'] };

const TASK = {
  taskId: REQUIRED_TEXT,
  createdAt: REQUIRED_TEXT,
  lastUpdatedAt: REQUIRED_TEXT,
  ttl: LIFETIME,
  ttlMs: LIFETIME,
  pollInterval: NUMBER,
  pollIntervalMs: NUMBER,
};
/** Volatile fields of an event, in the result of a poll or in a notification (extension Events). */
const EVENT = { eventId: REQUIRED_TEXT, timestamp: ANY, cursor: ANY };
const LISTS: readonly string[] = ['content', 'contents', 'resources', 'resourceTemplates', 'messages'];
const LOG_TIMES: readonly string[] = ['time', 'timestamp', 'ts', 'date'];

/** Returns the volatile fields of an object at a pointer. */
function at(place: Pointer, fields: Readonly<Record<string, Volatile>>): [Pointer, Volatile][] {
  return Object.entries(fields).map(([name, said]) => [`${place}/${escapeStep(name)}`, said]);
}

/** Places of volatile values, with what the specification says of them. */
export const VOLATILE_VALUES: readonly (readonly [Pointer, Volatile])[] = [
  ['/id', ANY],
  // Callers check `jsonrpc` separately: without that member, the value is not a message.
  ['/jsonrpc', ANY],
  // The server chooses the number of pages, and the last page has no cursor.
  ['/result/nextCursor', TEXT],
  ['/result/requestState', TEXT],
  ['/result/serverInfo/version', REQUIRED_TEXT],
  [`/result/_meta/${escapeStep(META.serverInfo)}/version`, REQUIRED_TEXT],
  ...['/result/_meta', '/params/_meta'].flatMap((place) =>
    at(place, { [META.relatedTask]: { types: ['object'] }, [META.subscriptionId]: { types: ['string', 'number'] } }),
  ),
  ...at('/result', { cursor: ANY, nextPollMs: NUMBER, refreshBefore: ANY }),
  ...['/result/events/*', '/params'].flatMap((place) => at(place, EVENT)),
  ['/error/data/elicitations/*/elicitationId', REQUIRED_TEXT],
  ['/params/elicitationId', REQUIRED_TEXT],
  ...['/result', '/result/task', '/params'].flatMap((place) => at(place, TASK)),
  ...LISTS.flatMap((list) => at(`/result/${list}/*/annotations`, { lastModified: TEXT })),
  ...LOG_TIMES.flatMap((name) => at('/params/data', { [name]: ANY })),
];

/** Pointers to the values that {@link VOLATILE} ignores. */
export const VOLATILE_POINTERS: readonly Pointer[] = VOLATILE_VALUES.map(([pointer]) => pointer);

/**
 * Ignores values that differ between any two runs of one server and carry no meaning (protocol digest: "Volatile values
 * and who must remap"): ids, times, intervals, handles that the server generates, and its version. A value of a type
 * that the specification does not allow stays, and so does the absence of a value that it requires: clients fail on
 * either.
 */
export const VOLATILE: readonly Ignore[] = [
  pointerReplacer(VOLATILE_VALUES.map(([pointer, said]) => [pointer, replacement(said)])),
];

function replacement({ types, isRequired }: Volatile): Replace {
  const left = isRequired ? `[any ${types[0]}]` : undefined;
  return (value) => (types.includes(typeOf(value) as Type) ? left : value);
}

function typeOf(value: unknown): string {
  if (value instanceof ExactNumber) return 'number';
  return value === null ? 'null' : typeof value;
}
