import type { Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { type Bytes, utf8Text } from '../../kernel/platform/bytes.ts';
import { type CassetteEvent, FORMAT, type Header, TITLE } from '../cassette.ts';
import { badEvent, damaged, empty, notACassette } from '../cassette-errors.ts';
import { EventSplitter, eventEnd, HEADER_LENGTH_MAX } from './event-splitter.ts';
import { FastYamlReader, readFastYaml } from './fast-yaml/fast-yaml-reader.ts';
import { composeUpgrades, FORMAT_UPGRADES, type FormatUpgrade } from './format-upgrade.ts';
import { httpErrorFrame, messageOnly, parseEvent } from './parse-event.ts';
import { parseFormat, parseHeader } from './parse-header.ts';
import type { SourceText } from './source-text.ts';
import { Utf8Normalizer } from './utf8-normalizer.ts';
import { yamlList, yamlMapping } from './yaml/full-yaml-reader.ts';
import type { YamlField } from './yaml/yaml-field.ts';

/** Fields of an event, with its source, line number in the file, and offset in the source. */
export interface ItemFields {
  fields: YamlField[];
  source: SourceText;
  line: number;
  at: number;
}

/** Error in a `match` rule, with the line of its event. */
export interface MatchRefusal {
  line: number;
  error: McpRecordError;
}

const NO_EVENTS = 'it has no list of "events:"';

/**
 * Parser of a cassette, event by event, from bytes in pieces of any size. Call `push` for each piece, then `finish`.
 */
export class IncrementalCassetteParser {
  /** Undefined: the header is incomplete. */
  header: Header | undefined;
  end: string | undefined;
  readonly warnings: string[] = [];
  /** Refused rules, which their events have as they are written. Always empty unless they are kept. */
  readonly refusals: MatchRefusal[] = [];
  readonly #file: string;
  readonly #steps: readonly FormatUpgrade[];
  readonly #keepsRefusedMatch: boolean;
  readonly #decoder = new Utf8Normalizer();
  readonly #splitter: EventSplitter;
  readonly #reader = new FastYamlReader();
  #upgrade = composeUpgrades(1, []);
  #at: Milliseconds = 0;
  /** Line of the next event in the file. */
  #line = 1;

  constructor(file: string, steps: readonly FormatUpgrade[] = FORMAT_UPGRADES, keepsRefusedMatch = false) {
    this.#file = file;
    this.#steps = steps;
    this.#keepsRefusedMatch = keepsRefusedMatch;
    this.#splitter = new EventSplitter(file);
  }

  /**
   * Returns the events that a piece completes, added to `events`, which has those before the error where one is thrown.
   * @throws McpRecordError CASSETTE_… as `loadCassette`
   */
  push(piece: Uint8Array, events: CassetteEvent[] = []): CassetteEvent[] {
    const { bytes, isInvalid } = this.#decoder.push(piece);
    this.#take(bytes, events);
    if (isInvalid) throw this.#notText();
    return events;
  }

  /** Returns the events that only the end of the file completes. */
  finish(): CassetteEvent[] {
    const { bytes, isInvalid } = this.#decoder.end();
    const events: CassetteEvent[] = [];
    this.#take(bytes, events);
    const rest = this.#rest();
    if (this.header === undefined) this.#finishWithoutEvents(rest);
    else if (this.header.recorder === undefined) {
      if (isInvalid) throw this.#notText();
      this.#item(rest, events);
    } else if (isEnd(rest.text)) this.#item(rest, events);
    else this.warnings.push(unfinished(rest));
    return events;
  }

  /** Takes the header, which determines the format of the events. */
  begin(fields: YamlField[], source: SourceText): void {
    this.#upgrade = composeUpgrades(parseFormat(fields, source), this.#steps);
    this.header = parseHeader(this.#upgrade.header(fields), source);
  }

  /** Takes the fields of one event. Undefined: it is the `end` event. */
  event({ fields, source, line, at }: ItemFields): CassetteEvent | undefined {
    if (this.end !== undefined)
      throw badEvent({ source, at }, 'an event follows "end"', 'Remove it, or put "end" last.');
    const { frame, match, refusal, end } = parseEvent({
      fields: this.#upgrade.event(fields),
      source,
      at,
      since: this.#at,
      keepsRefusedMatch: this.#keepsRefusedMatch,
    });
    if (frame === undefined) {
      this.end = end;
      return undefined;
    }
    this.#at = frame.at;
    if (refusal !== undefined) this.refusals.push({ line, error: refusal });
    const read = httpErrorFrame(frame, this.header?.recorder === undefined);
    return match === undefined ? { frame: read, line } : { frame: read, line, match };
  }

  #take(bytes: Bytes, events: CassetteEvent[]): void {
    const runs = this.#splitter.push(bytes);
    const { header, firstLine } = this.#splitter;
    if (header === undefined) return this.#awaitHeader();
    if (this.header === undefined) {
      this.begin(readFastYaml(header.text, 0) ?? yamlMapping(header), header);
      this.#line = firstLine;
    }
    for (const run of runs) this.#run(run, events);
  }

  #awaitHeader(): void {
    const source = this.#rest();
    if (source.text.length > HEADER_LENGTH_MAX) throw notACassette({ source, at: 0 }, NO_EVENTS);
  }

  /** Takes complete events, each with its dash. */
  #run(run: Bytes, events: CassetteEvent[]): void {
    const length = run.length - 1;
    for (let start = 0; start <= length; ) {
      const read = this.#reader.read(run, { start, column: ITEM_COLUMN });
      const end = read === undefined ? eventEnd(run, start) : this.#reader.end;
      const fields = read && this.#upgrade.event(read);
      const frame = fields && this.end === undefined && messageOnly(fields, this.#at);
      if (frame) events.push({ frame, line: this.#line });
      else this.#item(this.#sourceOf(run.subarray(start, end)), events, read);
      this.#line += breaksIn(run, start, end);
      start = end;
    }
  }

  #item(source: SourceText, events: CassetteEvent[], read?: YamlField[]): void {
    const fields = read ?? readFastYaml(source.text, ITEM_COLUMN) ?? yamlList(source)[0] ?? [];
    const event = this.event({ fields, source, line: source.line, at: ITEM_COLUMN });
    if (event) events.push(event);
  }

  #sourceOf(bytes: Bytes): SourceText {
    return { file: this.#file, text: utf8Text(bytes), line: this.#line };
  }

  /** Returns the text after the last dash. */
  #rest(): SourceText {
    return this.#sourceOf(this.#splitter.rest());
  }

  /**
   * Handles the end of a text without events: a recorder killed at once leaves a header only. Any other text is not a
   * cassette, or has a foreign layout.
   */
  #finishWithoutEvents(all: SourceText): void {
    if (all.text.trim() === '') throw empty(this.#file);
    if (!isTornHeader(all.text)) throw notACassette({ source: all, at: 0 }, NO_EVENTS);
    this.header = { format: FORMAT, transport: 'stdio' };
    this.warnings.push(unfinished(all));
  }

  #notText(): Error {
    const source = this.#rest();
    const spot = { source, at: source.text.length };
    return this.header === undefined ? notACassette(spot, 'it is not text') : damaged(spot, 'bytes that are not UTF-8');
  }
}

const LF = 0x0a;

function breaksIn(bytes: Bytes, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LF, start); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Column of an event's keys, after its dash. */
const ITEM_COLUMN = 2;

/** Reports whether the text ends before the first event's dash, as only a killed recorder leaves it. */
function isTornHeader(text: string): boolean {
  if (!text.startsWith(TITLE)) return false;
  const events = /^events:(?<beside>.*)\n(?<below>[\s\S]*)/m.exec(text)?.groups;
  return events === undefined || (events.beside === '' && /^-?$/.test(events.below!));
}

/** Reports whether an item is the complete `end` event. No dash follows it, so its line break completes it. */
function isEnd(item: string): boolean {
  return item.startsWith('- end:') && item.endsWith('\n');
}

function unfinished({ file, line }: SourceText): string {
  return `${file}:${line}: the recording was cut short here; what was being written is left out`;
}
