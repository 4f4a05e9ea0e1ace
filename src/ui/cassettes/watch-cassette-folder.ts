import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { SessionRow } from '../../html-report/data/live-page-protocol.ts';
import { peersOf } from '../../html-report/data/peers.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { type Rests, watchFolderWithRests } from '../../kernel/watch-paths.ts';
import { findFolderCassettes } from './find-folder-cassettes.ts';
import { GrowingCassette } from './growing-cassette.ts';

/** Delay that collects file changes for one read. */
const GATHER_MS: Milliseconds = 20;
/**
 * Time after a change without notifications. A page that draws at each write of a recorder takes the processor from it,
 * if both run on one machine.
 */
const REST_MS: Milliseconds = 100;
/** A look at all files takes at most this part of the time. */
const LOOK_SHARE = 1 / 20;
/**
 * Interval at which all files are read again. File systems may miss change notifications, and a silent recording
 * becomes unfinished without one.
 */
const LOOK_MS: Milliseconds = 2_000;
/** Maximum number of events that are searched for the names of client and server. */
const INTRODUCTION_MAX = 50;

export interface SessionListOptions {
  folder: string;
  /** Reports whether a file name, without its folder, belongs to the list. */
  isWanted(name: string): boolean;
  /** Whether subfolders belong to the list. Names of their cassettes are paths, with slashes. */
  hasSubfolders?: boolean;
  clock: Clock;
}

interface Listed {
  cassette: GrowingCassette;
  first: CassetteEvent[];
  row: SessionRow;
}

/** The cassettes of a folder with their states. The list follows new, growing and removed files. */
export class SessionList {
  readonly #options: SessionListOptions;
  readonly #listed = new Map<string, Listed>();
  readonly #listeners = new Set<(name: string) => void>();
  /** Names of files to read. */
  readonly #waiting = new Set<string>();
  readonly #gathered = new Set<string>();
  readonly #changed = new Set<(name: string) => void>();
  /** File versions saved from the page's editor. Such a version does not count as a new recording. */
  readonly #edited = new Map<string, string>();
  /** Functions that end the watches of subfolders. */
  readonly #watched = new Map<string, Cancel>();
  #stop: Cancel = () => {};
  /** Duration of the last look at all files. */
  #lookMs: Milliseconds = 0;
  #isReading = false;
  readonly #rests: Rests;

  constructor(options: SessionListOptions) {
    this.#options = options;
    this.#rests = {
      clock: options.clock,
      rest: () => Math.max(REST_MS, this.#lookMs / LOOK_SHARE),
      look: () => this.#look(),
    };
  }

  get rows(): SessionRow[] {
    return [...this.#listed.values()].map(({ row }) => row);
  }

  /** Whether the folder contains no cassette, and contained none since the start. */
  get isEmpty(): boolean {
    return this.#find().names.size === 0;
  }

  get folder(): string {
    return this.#options.folder;
  }

  row(name: string): SessionRow | undefined {
    return this.#listed.get(name)?.row;
  }

  fileOf(name: string): string {
    return join(this.#options.folder, name);
  }

  /** Takes the version of a file that the person has edited on the page, and reads the file. */
  noteEdit(name: string, version: string): void {
    this.#edited.set(name, version);
    this.#gather(name);
  }

  /** Starts watching the folder. Throws file system errors. */
  start(): void {
    const { folder, clock, isWanted } = this.#options;
    const close = watchFolderWithRests(folder, this.#rests, (name) => isWanted(name) && this.#gather(name));
    let cancel: Cancel = () => {};
    const look = () => {
      this.#look();
      cancel = clock.after(LOOK_MS, look);
    };
    this.#stop = () => {
      close();
      for (const end of this.#watched.values()) end();
      cancel();
    };
    look();
  }

  stop(): void {
    this.#stop();
  }

  /** Calls `listener` with the name of each new or changed row, until the returned function is called. */
  onRow(listener: (name: string) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` with the name of each changed file, until the returned function is called. */
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
    const { clock } = this.#options;
    const began = clock.now();
    const now = clock.date().getTime();
    const { names, folders } = this.#find();
    this.#watch(folders);
    for (const name of names) {
      const listed = this.#listed.get(name);
      const stats = statsOf(this.fileOf(name));
      if (listed === undefined ? stats !== undefined : isChanged(listed, stats)) this.#gather(name);
      else if (listed && listed.row.state !== listed.cassette.stateAt(now)) this.#tell(name, listed);
    }
    this.#lookMs = clock.now() - began;
  }

  #find(): { names: Set<string>; folders: string[] } {
    const { folder, isWanted, hasSubfolders = false } = this.#options;
    const found = findFolderCassettes(folder, { isWanted, hasSubfolders });
    return { names: new Set([...this.#listed.keys(), ...found.names]), folders: found.folders };
  }

  /** Watches these subfolders, and no others. Without a watch, changes are seen at the next look. */
  #watch(folders: readonly string[]): void {
    for (const [name, end] of this.#watched) {
      if (folders.includes(name)) continue;
      end();
      this.#watched.delete(name);
    }
    for (const name of folders) {
      if (this.#watched.has(name)) continue;
      try {
        const changed = (file: string) => this.#listed.has(`${name}/${file}`) && this.#gather(`${name}/${file}`);
        this.#watched.set(name, watchFolderWithRests(this.fileOf(name), this.#rests, changed));
      } catch {
        // The folder was removed meanwhile, or the system has no more watches.
      }
    }
  }

  /** Reads one slice of one file in each turn of the event loop, which keeps the server responsive. */
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

  /** Reads the next slice of a file. Returns whether a further slice is available. */
  #read(name: string): boolean {
    const cassette = this.#listed.get(name)?.cassette ?? new GrowingCassette(this.fileOf(name));
    const { replacements } = cassette;
    const { events, isAnew, hasMore } = cassette.read();
    const isReplaced = cassette.replacements > replacements && cassette.version !== this.#edited.get(name);
    const now = this.#options.clock.date();
    const state = cassette.stateAt(now.getTime());
    const listed = this.#listed.get(name);
    if (listed === undefined && state === 'removed') return false;
    const first = isAnew ? [] : (listed?.first ?? []);
    const count = (isAnew ? 0 : (listed?.row.events ?? 0)) + events.length;
    const introduction = first.length < INTRODUCTION_MAX ? [...first, ...events.slice(0, INTRODUCTION_MAX)] : first;
    const row: SessionRow = {
      ...(listed?.row.replacedAt !== undefined && { replacedAt: listed.row.replacedAt }),
      ...(listed && isReplaced && { replacedAt: timeOf(now) }),
      ...this.#peers(cassette, introduction),
      name,
      state,
      events: count,
      bytes: cassette.bytes,
      version: cassette.version,
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

/** Formats the local date: `2026-11-24`. */
function dayOf(date: Date): string {
  return date.toLocaleDateString('sv');
}

/** Formats the local time: `18:08:25`. */
function timeOf(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
