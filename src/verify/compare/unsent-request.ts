import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { isRequest } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { issuedInResponse, referencedIn } from '../../replay/tokens/token-locations.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';

/**
 * Returns why a recorded request was not sent: an answer lacks a value that the request repeats, such as a cursor.
 * Undefined: it was sent.
 */
export function unsentReason({ index, json, message }: SessionEntry, driven: ServerRun): string | undefined {
  const { exchanges, sentRequests, handles = [] } = driven;
  if (sentRequests.has(index)) return undefined;
  const used = json === undefined || message === undefined ? [] : referencedIn(message, undefined, handles);
  for (const { path, kind } of used) {
    const value = scalarKeyAt(json!, path);
    if (value === undefined) continue;
    for (const { request, recorded, live } of exchanges) {
      if (recorded?.json === undefined || !isRequest(request.message)) continue;
      const issued = issuedInResponse(recorded.message!, request.message, handles);
      const place = issued.find((one) => one.kind === kind && scalarKeyAt(recorded.json!, one.path) === value);
      if (place === undefined || scalarKeyAt(live, place.path) !== undefined) continue;
      const isOfTest = handles.some(({ capture }) => capture === pointerOf(place.path));
      return `not sent: the answer at line ${recorded.line} has no ${pointerOf(place.path)}${isOfTest ? ' (handles)' : ''}`;
    }
  }
  return 'not sent: a message that it waits for did not come';
}

function pointerOf(path: JsonPath): string {
  return `/${path.map((step) => escapeStep(`${step}`)).join('/')}`;
}
