import { countBreaks, type Source } from './source.ts';

/** The lines from `events:` up to the first dash. */
const EVENTS = /^events:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*/m;

/**
 * Cuts the text of a tape, which may come in pieces, into the header and the events: only at `- ` at the start of a
 * line, which nothing inside an event can be. Looks at each character once, and holds one event at most.
 */
export class Splitter {
  /** What stands before `events:`. Undefined: that line and the first dash have not come yet. */
  header: Source | undefined;
  readonly #file: string;
  #line = 1;
  /** The event that has not ended, or the text before the first one. */
  #pending: string[] = [];
  /** A line break, or one and a dash: whether an event ends here is for the next piece to say. */
  #held = '';

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes a piece of the text, and gives the events that ended in it, each with its dash. */
  push(piece: string): Source[] {
    const text = this.#held + piece;
    this.#held = /(?:\n-?)?$/.exec(text.slice(-2))![0];
    const known = text.slice(0, text.length - this.#held.length);
    return this.header === undefined ? this.#begin(known) : this.#cut(known);
  }

  /** What no dash has ended: the last event, or all there is where none was found. */
  rest(): Source {
    return { file: this.#file, text: this.#pending.join('') + this.#held, line: this.#line };
  }

  #begin(text: string): Source[] {
    this.#pending.push(text);
    const all = this.#pending.join('');
    const events = EVENTS.exec(all);
    const first = events === null ? -1 : events.index + events[0].length;
    if (events === null || !all.startsWith('- ', first)) return [];
    this.header = { file: this.#file, text: all.slice(0, events.index), line: 1 };
    this.#line = 1 + countBreaks(all, 0, first);
    this.#pending = [];
    return this.#cut(all.slice(first));
  }

  #cut(text: string): Source[] {
    const items: Source[] = [];
    let start = 0;
    for (let end = text.indexOf('\n- '); end >= 0; end = text.indexOf('\n- ', start)) {
      this.#pending.push(text.slice(start, end + 1));
      const item = this.#pending.length === 1 ? this.#pending[0]! : this.#pending.join('');
      items.push({ file: this.#file, text: item, line: this.#line });
      this.#line += countBreaks(item, 0, item.length);
      this.#pending = [];
      start = end + 1;
    }
    this.#pending.push(start === 0 ? text : text.slice(start));
    return items;
  }
}
