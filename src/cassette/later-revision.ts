import { errorOf, isRequest, isResponse, resultOf } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { isLater, NEWEST, NEWEST_LEGACY, UNSUPPORTED_VERSION } from '../protocol/revisions.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { CassetteEvent } from './cassette.ts';

/**
 * Returns the warning about a session whose revision this version does not know yet. Undefined: its revision is known, or
 * none was agreed on. Only the events up to the first accepted request are read.
 */
export function laterRevisionWarning(file: string, events: readonly CassetteEvent[]): string | undefined {
  const open = new Map<string, Opening>();
  for (const { frame, line } of events) {
    if (frame.kind !== 'message') continue;
    const { value } = frame.json;
    const id = scalarKeyAt(frame.json, ['id']);
    if (id === undefined) continue;
    if (frame.from === 'client' && isRequest(value))
      open.set(id, { line, method: value.method, claimed: metaOf(value.params)[META.protocolVersion] });
    const opening = frame.from === 'server' && isResponse(value) ? open.get(id) : undefined;
    // A client that names a revision which the server does not have goes on with another one.
    if (opening === undefined || errorOf(value)?.code === UNSUPPORTED_VERSION) continue;
    const isHandshake = opening.method === 'initialize';
    const revision = isHandshake ? resultOf(value).protocolVersion : opening.claimed;
    if (typeof revision !== 'string' || !isLater(revision)) return undefined;
    const known = isHandshake ? NEWEST_LEGACY : NEWEST;
    return `${file}:${opening.line}: the session has revision ${revision} of MCP, which is not known yet: it is treated as ${known}`;
  }
  return undefined;
}

/** Request of a client. */
interface Opening {
  line: number;
  method: string;
  /** Revision in its `_meta`. */
  claimed: unknown;
}
