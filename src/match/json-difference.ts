import { isObject } from '../protocol/message.ts';
import { briefJson, canonicalJson } from './canonical-json.ts';
import { ExactNumber } from './exact-json-value.ts';
import { escapeStep, type Pointer } from './ignore-rules.ts';

/** Place where two JSON values differ. `recorded` or `live` is absent if that side has no value there. */
export interface Difference {
  path: Pointer;
  recorded?: unknown;
  live?: unknown;
}

/** Returns every place where `live` differs from `recorded`; empty if they match. Lists are compared by position. */
export function differences(recorded: unknown, live: unknown, path: Pointer = ''): Difference[] {
  if (Array.isArray(recorded) && Array.isArray(live)) {
    const length = Math.max(recorded.length, live.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      at(path, index, recorded[index], live[index]),
    );
  }
  if (isPlainObject(recorded) && isPlainObject(live)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(live)]);
    return [...keys].flatMap((key) => at(path, key, own(recorded, key), own(live, key)));
  }
  return canonicalJson(recorded) === canonicalJson(live) ? [] : [{ path, recorded, live }];
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof ExactNumber);
}

/** Returns an own member. Inherited members such as `constructor` and `__proto__` never belong to a message. */
function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function at(path: Pointer, step: string | number, recorded: unknown, live: unknown): Difference[] {
  const here = `${path}/${escapeStep(step)}`;
  if (recorded === undefined) return live === undefined ? [] : [{ path: here, live }];
  if (live === undefined) return [{ path: here, recorded }];
  return differences(recorded, live, here);
}

const SHOWN_LENGTH = 40;

/** Formats a difference for messages: `/params/arguments/b (3 → 4)`. */
export function describeDifference({ path, recorded, live }: Difference): string {
  return `${path || '/'} (${briefJson(recorded, SHOWN_LENGTH)} → ${briefJson(live, SHOWN_LENGTH)})`;
}
