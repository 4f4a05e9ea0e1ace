/** A terminal that understands what a status line writes. */
export interface Screen {
  isTTY: boolean;
  columns: number;
  writes: number;
  write(text: string): void;
  /** What it shows. */
  lines(): string[];
}

/** Returns an empty screen of so many columns. */
export function screenOf(columns: number, isTTY = true): Screen {
  let shown = [''];
  return {
    isTTY,
    columns,
    writes: 0,
    write(text) {
      this.writes++;
      for (const part of text.replaceAll('\u001b[K', '').split(/(\r|\n)/)) {
        if (part === '\n') shown.push('');
        // Every line is written whole: what stood there is replaced.
        else if (part === '\r') shown = [...shown.slice(0, -1), ''];
        else shown[shown.length - 1] += part;
      }
    },
    lines: () => shown,
  };
}
