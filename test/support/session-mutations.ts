import type { Cassette, CassetteEvent } from '../../src/cassette/cassette.ts';
import type { MessageFrame, Side } from '../../src/channel/frame.ts';
import type { Random } from '../../src/kernel/random.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { isNotification, isObject, isRequest, isResponse } from '../../src/protocol/message.ts';

/** One thing that a side says otherwise than in a cassette. */
export interface Mutation {
  /** The cassette as it was recorded. */
  before: Cassette;
  /** The cassette in which it says that. */
  cassette: Cassette;
  how: 'drop' | 'add' | 'change' | 'swap' | 'late' | 'twice';
  /** The message that it happens to, as recorded. */
  message: unknown;
  /** Of a change: where, and what stands there now; `undefined` is nothing. */
  path?: readonly string[];
  value?: unknown;
  /** The message as it is now, where it changed. */
  now?: unknown;
}

const HOWS = ['drop', 'add', 'change', 'change', 'change', 'swap', 'late', 'twice'] as const;

/** Changes one thing that `side` says in `cassette`. Undefined: it says nothing that could be changed so. */
export function mutate(cassette: Cassette, side: Side, random: Random): Mutation | undefined {
  const places = cassette.events.flatMap(({ frame }, index) =>
    frame.kind === 'message' && frame.from === side && isObject(frame.json.value) ? [index] : [],
  );
  if (places.length === 0) return undefined;
  const place = pick(places, random);
  const how = pick(HOWS, random);
  const mutated = mutation({ events: cassette.events, places, place, how, random });
  return (
    mutated && {
      how,
      ...mutated,
      before: cassette,
      cassette: { ...cassette, events: renumbered(mutated.events) },
    }
  );
}

interface Chosen {
  events: readonly CassetteEvent[];
  places: readonly number[];
  place: number;
  how: Mutation['how'];
  random: Random;
}

type Mutated = Pick<Mutation, 'message' | 'path' | 'value' | 'now'> & { events: readonly CassetteEvent[] };

function mutation({ events, places, place, how, random }: Chosen): Mutated | undefined {
  const event = events[place]!;
  const message = messageOf(event);
  const without = events.toSpliced(place, 1);
  switch (how) {
    case 'drop':
      return { message, events: without };
    case 'twice':
      return { message, events: events.toSpliced(place + 1, 0, event) };
    case 'add': {
      const added = withMessage(event, extra(message, random));
      return { message, events: events.toSpliced(place + 1, 0, added) };
    }
    case 'swap': {
      const other = places.find((one) => one > place);
      if (other === undefined) return undefined;
      return {
        message,
        events: events.with(place, moved(events[other]!, event)).with(other, moved(event, events[other]!)),
      };
    }
    case 'late': {
      const later = places.filter((one) => one > place);
      if (later.length === 0) return undefined;
      const to = pick(later, random);
      return { message, events: without.toSpliced(to, 0, moved(event, events[to]!)) };
    }
    case 'change': {
      const paths = leavesOf(message).filter(([first]) => first !== 'jsonrpc' && first !== 'id');
      if (paths.length === 0) return undefined;
      const path = pick(paths, random);
      const value = random() < 0.3 ? undefined : otherThan(at(message, path), random);
      const now = withValue(message, path, value);
      return { message, path, value, now, events: events.with(place, withMessage(event, now)) };
    }
  }
}

/** A message of the same kind, which the cassette does not have. */
function extra(message: unknown, random: Random): unknown {
  const id = `extra-${Math.floor(random() * 1e6)}`;
  if (isRequest(message)) return { ...message, id };
  if (isResponse(message)) return { ...message, id };
  if (!isNotification(message)) return message;
  const method = pick(['notifications/roots/list_changed', 'notifications/extra', message.method], random);
  return method === message.method ? message : { jsonrpc: '2.0', method };
}

/** Paths to every value of a message that holds no other, and to every empty one. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Object.entries(value);
  return members.length === 0 ? [path] : members.flatMap(([key, one]) => leavesOf(one, [...path, key]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((one, step) => (one as Record<string, unknown>)[step], value);
}

function withValue(value: unknown, [step, ...rest]: readonly string[], changed: unknown): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) {
    const inner = withValue(value[Number(step)], rest, changed);
    return inner === undefined ? value.toSpliced(Number(step), 1) : value.with(Number(step), inner);
  }
  const inner = withValue((value as Record<string, unknown>)[step], rest, changed);
  const { [step]: _, ...others } = value as Record<string, unknown>;
  return inner === undefined ? others : { ...(value as object), [step]: inner };
}

function otherThan(value: unknown, random: Random): unknown {
  switch (typeof value) {
    case 'string':
      return `${value}${pick(['x', ' other', '~'], random)}`;
    case 'number':
      return value + 1 + Math.floor(random() * 5);
    case 'boolean':
      return !value;
    default:
      return value === null ? 'something' : { extra: true };
  }
}

function messageOf({ frame }: CassetteEvent): unknown {
  return (frame as MessageFrame).json.value;
}

function withMessage(event: CassetteEvent, message: unknown): CassetteEvent {
  return {
    ...event,
    frame: { ...(event.frame as MessageFrame), json: new JsonText(JSON.stringify(message)) },
  };
}

/** The event at the time, and in the exchange, of another. */
function moved(event: CassetteEvent, { frame: { at, stream } }: CassetteEvent): CassetteEvent {
  const { stream: _, ...frame } = event.frame;
  return { ...event, frame: { ...frame, at, ...(stream !== undefined && { stream }) } };
}

function renumbered(events: readonly CassetteEvent[]): CassetteEvent[] {
  return events.map((event, index) => ({ ...event, line: index + 1 }));
}

function pick<One>(all: readonly One[], random: Random): One {
  return all[Math.floor(random() * all.length)]!;
}
