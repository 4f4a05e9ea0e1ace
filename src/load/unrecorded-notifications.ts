import { formatCount, grouped } from '../kernel/format-count.ts';
import { isNotification } from '../protocol/message.ts';
import type { Outcome } from '../text-report/outcome-model.ts';
import type { ServerRun } from '../verify/run/run-recorded-client.ts';

/** Returns the methods of notifications of a session that the cassette does not have. */
export function unrecordedMethods({ notifications }: Pick<ServerRun, 'notifications'>): string[] {
  return notifications.flatMap(({ recorded, live }) =>
    recorded === undefined && isNotification(live.value) ? [live.value.method] : [],
  );
}

/** Beginning of the note of one session about such notifications. A load notes those of all sessions. */
const NOTE_OF_SESSION = /^The cassette does not have \d+ notification/;

/** Returns the comparison of a session without its note about such notifications. */
export function withoutUnrecordedNote(compared: Outcome): Outcome {
  return { ...compared, notes: compared.notes.filter((note) => !NOTE_OF_SESSION.test(note)) };
}

/** Returns the note on the notifications of all sessions that the cassette does not have. */
export function unrecordedNotes(counts: ReadonlyMap<string, number>, total: number): string[] {
  if (total === 0) return [];
  const each = [...counts].map(([method, count]) => `${method} (${grouped(count)})`);
  return [
    `The server sent ${formatCount(total, 'notification')} that the cassette does not have, which fail nothing: ${each.join(', ')}.`,
  ];
}
