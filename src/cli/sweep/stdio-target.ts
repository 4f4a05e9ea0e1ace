import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../../kernel/package-info.ts';
import { type FaultCase, rulesFileOf } from '../../sweep/client/fault-matrix.ts';
import type { Noted } from '../../sweep/client/response-recovery.ts';
import type { MockTarget } from '../../sweep/client/sweep-client.ts';

/** A folder with what the mock servers of a sweep read, and write of what has happened. */
export interface StdioTargets {
  target(point: FaultCase | undefined): Promise<MockTarget>;
  /** The sweep is over. */
  remove(): void;
}

/** The recorded server of a cassette, as command lines for clients that start it. */
export function stdioTargets(cassette: string): StdioTargets {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-sweep-'));
  const replay = [process.execPath, PROGRAM, 'replay'];
  return {
    async target(point) {
      const name = join(folder, point?.name ?? 'baseline');
      const findings = `${name}.findings`;
      const common = { reached: () => existsSync(findings), clear: async () => {} };
      const server = [...replay, '--findings', findings];
      if (point === undefined) return { at: { words: [...server, cassette] }, journal: () => [], ...common };
      const [faults, journal] = [`${name}.yaml`, `${name}.journal`];
      writeFileSync(journal, '');
      writeFileSync(faults, JSON.stringify(rulesFileOf(point)));
      return {
        at: { words: [...server, '--faults', faults, '--journal', journal, cassette] },
        journal: () => entriesOf(journal),
        ...common,
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Reads the entries of a file that is still being written. */
function entriesOf(file: string): Noted[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Noted);
}
