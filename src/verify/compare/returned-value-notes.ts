import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';
import { liveValue } from '../../replay/tokens/returned-values.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';

/** Returns a note for each value that the recorded client sent as the live server had returned it. */
export function returnedValueNotes({ plan, returnedValues, exchanges, sentRequests }: ServerRun): string[] {
  const exchangeOf = new Map(exchanges.map((exchange) => [exchange.recorded?.index, exchange]));
  return returnedValues.flatMap((value) => {
    const exchange = exchangeOf.get(value.returned.entry);
    const request = plan.entries[value.sent.entry]!;
    const json = exchange?.recorded?.json;
    const live = json && liveValue(value, json, exchange.live);
    if (live === undefined || !sentRequests.has(request.index)) return [];
    const place = `/${value.sent.path.map(escapeStep).join('/')} of ${named(request)}`;
    return [`${named(exchange!.request)} returned "${live}" in place of "${value.recorded}": sent so at ${place}.`];
  });
}

function named({ message, line }: SessionEntry): string {
  return `${messageTitle(message)} (line ${line})`;
}
