/** `1 event`, `10,000 events`. The plural of `noun` is its singular and an s. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
