/** `1 event`, `10,000 events`. The plural of `noun` is its singular and an s. */
export function formatCount(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A count with its thousands apart: `10,000`. `toLocaleString` takes 15 ms where it is called first, which is a tenth of a start. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
