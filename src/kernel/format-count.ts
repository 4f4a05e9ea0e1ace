/** Formats a count with its noun: `1 event`, `10,000 events`. The plural is the singular with an s. */
export function formatCount(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Formats a count with separated thousands: `10,000`. The first call of `toLocaleString` would take 15 ms, a tenth of
 * the start time.
 */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
