import { isObject } from './message.ts';
import { META, metaOf } from './meta.ts';

/** Returns the revision that a message states, from 2026-07-28 on. Undefined for older revisions. */
export function claimedRevision(message: unknown): string | undefined {
  const claim = isObject(message) ? metaOf(message.params)[META.protocolVersion] : undefined;
  return typeof claim === 'string' ? claim : undefined;
}
