import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CassetteFollower } from '../../../cassette/read/cassette-follower.ts';
import { cannotOpen } from '../../../cassette/read/load-cassette.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { watchFolder } from '../../../kernel/watch-paths.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { LiveTimeline, type Row } from '../../../text-report/timeline-rows.ts';
import { EXIT, fail, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';

/** Time in which changes are collected before the file is read. */
const GATHER_MS = 50;

interface Followed {
  follower: CassetteFollower;
  timeline: LiveTimeline;
}

/**
 * Runs `mcp-record show --follow FILE|FOLDER`: prints rows as recorders write them. A file is followed from its
 * beginning to the end of the recording, and may be created later. A folder is followed until a signal; only new rows
 * of each cassette are printed.
 * @throws McpRecordError as `loadCassette`
 */
export async function follow(path: string, print: (rows: readonly Row[]) => void): Promise<number> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? path : dirname(path);
  const followed = new Map<string, Followed>();
  const changed = new Set<string>();
  const stopped = untilSignal();
  let named = '';
  let end = (_status: number) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const update = (name: string, isShown = true) => {
    const isKnown = followed.has(name);
    const { follower, timeline } = followed.get(name) ?? {
      follower: new CassetteFollower(join(folder, name)),
      timeline: new LiveTimeline(),
    };
    followed.set(name, { follower, timeline });
    try {
      const rows = timeline.add(follower.read());
      if (rows.length > 0 && isShown) {
        if (isFolder && named !== name) say(printable(join(folder, name)));
        named = name;
        print(rows);
      }
    } catch (error) {
      followed.delete(name);
      if (!isGone(error)) return isFolder ? void fail(error) : end(fail(error));
      if (isKnown) say(`${printable(join(folder, name))} was removed`);
    }
    if (!isFolder && follower.isEnded) end(EXIT.ok);
  };
  const updateAll = () => {
    const names = [...changed];
    changed.clear();
    for (const name of names) update(name);
  };

  const isWanted = (name: string) => (isFolder ? name.endsWith('.yaml') : name === basename(path));
  const close = watched(path, folder, (name) => {
    if (!isWanted(name)) return;
    if (changed.size === 0) systemClock.after(GATHER_MS, updateAll);
    changed.add(name);
  });
  if (isFolder) {
    for (const name of readdirSync(folder).filter(isWanted)) update(name, false);
    say(`following ${printable(path)}: ctrl-C ends this`);
  } else if (statSync(path, { throwIfNoEntry: false })) update(basename(path));
  else say(`waiting for ${printable(path)}: ctrl-C ends this`);
  const status = await Promise.race([ended, stopped]);
  close();
  return status ?? EXIT.ok;
}

function watched(path: string, folder: string, changed: (name: string) => void): () => void {
  try {
    return watchFolder(folder, changed);
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof McpRecordError && error.code === 'CASSETTE_NOT_FOUND';
}
