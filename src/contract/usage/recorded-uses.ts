import type { Cassette } from '../../cassette/cassette.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { exactValue } from '../../match/exact-json-value.ts';
import { isObject, isRequest, type Params, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';

/** A message that shows which part of a server the client uses. */
export interface RecordedUse {
  line: number;
  method: string;
  /** Params of a client's request. Empty for a notification of the server. */
  params: Params;
}

/** Uses of a server in one cassette. */
export interface RecordedUses {
  file: string;
  /** Name and version of the client, if a message states them. */
  client?: string;
  /** Protocol revisions of the session. */
  revisions: ReadonlySet<string>;
  /** Requests of the client, and notifications of the server. */
  uses: readonly RecordedUse[];
}

/** Returns the uses of a server by the client of a cassette. */
export function recordedUses({ file, events }: Cassette): RecordedUses {
  const revisions = new Set<string>();
  const uses: RecordedUse[] = [];
  let client: string | undefined;
  for (const entry of eventsToEntries(events)) {
    const { message, from, line } = entry;
    const revision = revisionOf(entry);
    if (revision !== undefined) revisions.add(revision);
    if (!isObject(message) || typeof message.method !== 'string') continue;
    const { method } = message;
    if (from === 'server' && !isRequest(message)) uses.push({ line, method, params: {} });
    if (from === 'server' || !isRequest(message)) continue;
    client ??= clientOf(paramsOf(message));
    // A message with too deep nesting has no exact value but a text.
    const exact = exactValue(entry.json!);
    uses.push({ line, method, params: paramsOf(isObject(exact) ? exact : message) });
  }
  return { file, ...(client !== undefined && { client }), revisions, uses };
}

/** Returns the revision that a message states: the server's choice in a result, or the `_meta` of a request. */
function revisionOf({ message, from }: SessionEntry): string | undefined {
  const revision =
    from === 'server' ? resultOf(message).protocolVersion : metaOf(paramsOf(message))[META.protocolVersion];
  return typeof revision === 'string' ? revision : undefined;
}

function clientOf(params: Params): string | undefined {
  const info = params.clientInfo ?? metaOf(params)[META.clientInfo];
  if (!isObject(info) || typeof info.name !== 'string') return undefined;
  return typeof info.version === 'string' ? `${info.name} ${info.version}` : info.name;
}
