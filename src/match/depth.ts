import { JSON_DEPTH_MAX } from '../protocol/json-scan.ts';

/** Whether lists and objects in `value` are nested deeper than anything is walked. */
export function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= JSON_DEPTH_MAX) return true;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const item of items) if (typeof item === 'object' && isDeep(item, depth + 1)) return true;
  return false;
}
