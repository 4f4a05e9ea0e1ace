import { JSON_DEPTH_MAX } from '../protocol/json-scan.ts';

/** Reports whether lists and objects in `value` are nested deeper than `JSON_DEPTH_MAX`. */
export function isDeeplyNested(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= JSON_DEPTH_MAX) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeplyNested(item, depth + 1)) return true;
    return false;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const item = members[key];
    if (typeof item === 'object' && isDeeplyNested(item, depth + 1)) return true;
  }
  return false;
}
