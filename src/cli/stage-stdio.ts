import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../kernel/package.ts';
import type { Noted } from '../sweep/lost.ts';
import { faultsOf, type Point } from '../sweep/points.ts';
import type { Stage } from '../sweep/sweep.ts';

/** A folder with what the mock servers of a sweep read, and write of what has happened. */
export interface StdioStages {
  stage(point: Point | undefined): Promise<Stage>;
  /** The sweep is over. */
  remove(): void;
}

/** The recorded server of a tape, as command lines for clients that start it. */
export function stdioStages(tape: string): StdioStages {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-sweep-'));
  const replay = [process.execPath, PROGRAM, 'replay'];
  return {
    async stage(point) {
      if (point === undefined)
        return { at: { words: [...replay, tape] }, journal: () => [], clear: async () => {} };
      const name = join(folder, point.name);
      const [faults, journal] = [`${name}.yaml`, `${name}.journal`];
      writeFileSync(journal, '');
      writeFileSync(faults, JSON.stringify(faultsOf(point)));
      return {
        at: { words: [...replay, '--faults', faults, '--journal', journal, tape] },
        journal: () => entriesOf(journal),
        clear: async () => {},
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What stands in a file that may be written meanwhile. */
function entriesOf(file: string): Noted[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Noted);
}
