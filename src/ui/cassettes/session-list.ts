import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { SessionRow } from '../../html-report/data/live-messages.ts';
import { peersOf } from '../../html-report/data/peers.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { watchFolder } from '../../kernel/watch-file.ts';
import { GrowingCassette } from './growing-cassette.ts';

/** What is written within this time is read at once. */
const GATHER_MS: Milliseconds = 20;
/** So often all files are looked at: a file system may not tell of each change, and a recording that is silent changes its state. */
const LOOK_MS: Milliseconds = 2_000;
/** The two sides introduce themselves within so many events, or not at all. */
const INTRODUCTION_MAX = 50;

export interface SessionListOptions {
  folder: string;
  /** Whether a file of the folder, by its name, belongs to the list. */
  isWanted(name: string): boolean;
  clock: Clock;
}

interface Listed {
  cassette: GrowingCassette;
  first: CassetteEvent[];
  row: SessionRow;
}

/** The cassettes of a folder, each with how far it is, as they come, grow and go. */
export class SessionList {
  readonly #options: SessionListOptions;
  readonly #listed = new Map<string, Listed>();
  readonly #listeners = new Set<(name: string) => void>();
  /** Names of files to read. */
  readonly #waiting = new Set<string>();
  readonly #gathered = new Set<string>();
  readonly #changed = new Set<(name: string) => void>();
  #stop: Cancel = () => {};
  #isReading = false;

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  get rows(): SessionRow[] {
    return [...this.#listed.values()].map(({ row }) => row);
  }

  /** Whether the folder has no cassette, and had none. */
  get isEmpty(): boolean {
    return this.#names().size === 0;
  }

  row(name: string): SessionRow | undefined {
    return this.#listed.get(name)?.row;
  }

  fileOf(name: string): string {
    return join(this.#options.folder, name);
  }

  /** Begins to watch the folder. Throws what the file system throws. */
  start(): void {
    const { folder, clock, isWanted } = this.#options;
    const close = watchFolder(folder, (name) => isWanted(name) && this.#gather(name));
    let cancel: Cancel = () => {};
    const look = () => {
      this.#look();
      cancel = clock.after(LOOK_MS, look);
    };
    this.#stop = () => {
      close();
      cancel();
    };
    look();
  }

  stop(): void {
    this.#stop();
  }

  /** Calls `listener` with the name of each row that is new or changed, until the function that is returned is called. */
  onRow(listener: (name: string) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The same with the name of each file that has changed. */
  onFile(listener: (name: string) => void): Cancel {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  #gather(name: string): void {
    if (this.#gathered.size === 0) this.#options.clock.after(GATHER_MS, () => this.#take());
    this.#gathered.add(name);
  }

  #take(): void {
    const names = [...this.#gathered];
    this.#gathered.clear();
    for (const name of names) {
      for (const listener of this.#changed) listener(name);
      this.#waiting.add(name);
    }
    this.#readOn();
  }

  #look(): void {
    const now = this.#options.clock.date().getTime();
    for (const name of this.#names()) {
      const listed = this.#listed.get(name);
      const stats = statsOf(this.fileOf(name));
      if (listed === undefined ? stats !== undefined : isChanged(listed, stats)) this.#gather(name);
      else if (listed && listed.row.state !== listed.cassette.stateAt(now)) this.#tell(name, listed);
    }
  }

  #names(): Set<string> {
    const names = new Set(this.#listed.keys());
    try {
      for (const name of readdirSync(this.#options.folder)) if (this.#options.isWanted(name)) names.add(name);
    } catch {
      // The folder is gone, and so are the files that were in it.
    }
    return names;
  }

  /** Reads a slice of one file after the other, so that nothing else waits for long. */
  #readOn(): void {
    if (this.#isReading) return;
    const [name] = this.#waiting;
    if (name === undefined) return;
    this.#isReading = true;
    this.#waiting.delete(name);
    if (this.#read(name)) this.#waiting.add(name);
    this.#options.clock.endOfTurn(() => {
      this.#isReading = false;
      this.#readOn();
    });
  }

  /** Returns whether there is more to read at once. */
  #read(name: string): boolean {
    const cassette = this.#listed.get(name)?.cassette ?? new GrowingCassette(this.fileOf(name));
    const { replacements } = cassette;
    const { events, isAnew, hasMore } = cassette.read();
    const now = this.#options.clock.date();
    const state = cassette.stateAt(now.getTime());
    const listed = this.#listed.get(name);
    if (listed === undefined && state === 'removed') return false;
    const first = isAnew ? [] : (listed?.first ?? []);
    const count = (isAnew ? 0 : (listed?.row.events ?? 0)) + events.length;
    const introduction = first.length < INTRODUCTION_MAX ? [...first, ...events.slice(0, INTRODUCTION_MAX)] : first;
    const row: SessionRow = {
      ...(listed?.row.replacedAt !== undefined && { replacedAt: listed.row.replacedAt }),
      ...(listed && cassette.replacements > replacements && { replacedAt: timeOf(now) }),
      ...this.#peers(cassette, introduction),
      name,
      state,
      events: count,
      bytes: cassette.bytes,
      changed: cassette.changed === undefined ? '' : `${dayOf(cassette.changed)} ${timeOf(cassette.changed)}`,
      ...(cassette.header.recorded !== undefined && { recorded: cassette.header.recorded }),
      ...(cassette.problem && { problem: cassette.problem }),
    };
    const next = { cassette, first: introduction, row };
    this.#listed.set(name, next);
    this.#tell(name, next);
    return hasMore;
  }

  #peers({ file, header }: GrowingCassette, events: CassetteEvent[]): Pick<SessionRow, 'client' | 'server'> {
    const { client, server } = peersOf({ file, header, events, warnings: [] });
    return { ...(client !== undefined && { client }), ...(server !== undefined && { server }) };
  }

  #tell(name: string, listed: Listed): void {
    listed.row.state = listed.cassette.stateAt(this.#options.clock.date().getTime());
    for (const listener of this.#listeners) listener(name);
  }
}

function statsOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

function isChanged({ row, cassette }: Listed, stats: Stats | undefined): boolean {
  if (stats === undefined) return row.state !== 'removed';
  const { bytes, changed } = cassette;
  return row.state === 'removed' || stats.size !== bytes || stats.mtime.getTime() !== changed?.getTime();
}

/** `2026-11-24`, where this machine is. */
function dayOf(date: Date): string {
  return date.toLocaleDateString('sv');
}

/** `18:08:25`, where this machine is. */
function timeOf(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
