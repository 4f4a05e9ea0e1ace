import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { PROGRAM } from '../../kernel/installed-package.ts';
import { PROJECT_RULES } from '../../record/redact-file/redaction-rules-file.ts';
import { type MockTarget, UNSERVED } from '../../sweep/client/attempt-run.ts';
import { type FaultCase, rulesFileOf } from '../../sweep/client/fault-cases.ts';
import type { Noted } from '../../sweep/client/withheld-response-arrival.ts';

/** A folder with the input and output files of a sweep's mock servers. */
export interface StdioTargets {
  target(point: FaultCase | undefined): Promise<MockTarget>;
  /** Deletes the folder after the sweep. */
  remove(): void;
}

/**
 * Returns targets that serve a cassette by command lines, for clients that start their server. Their files are in a new
 * folder, or in that of the caller.
 */
export function stdioTargets(
  cassette: string,
  folder: string = mkdtempSync(join(tmpdir(), 'mcp-record-sweep-')),
): StdioTargets {
  // Clients pass few variables on to their server.
  const { [PROJECT_RULES]: rules } = process.env;
  const replay = [process.execPath, PROGRAM, 'replay', ...(rules ? [`--redact-rules=${resolve(rules)}`] : [])];
  return {
    async target(point) {
      const name = join(folder, fileNameOf(point?.name ?? 'baseline'));
      const findings = `${name}.findings`;
      rmSync(findings, { force: true });
      const common = { reached: () => existsSync(findings), clear: async () => {} };
      const server = [...replay, '--findings', findings];
      const [faults, journal] = [`${name}.yaml`, `${name}.journal`];
      writeFileSync(journal, '');
      writeFileSync(faults, JSON.stringify(rulesFileOf(point)));
      return {
        at: { words: [...server, '--faults', faults, '--journal', journal, cassette] },
        journal: () => entriesOf<Noted>(journal),
        unserved: () => (existsSync(findings) ? unservedIn(entriesOf<LoggedFinding>(findings)) : []),
        ...common,
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the complete entries of a file that is still being written. */
function entriesOf<Entry>(file: string): Entry[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** Line of a mock server's log. Only a finding has a kind. */
interface LoggedFinding {
  kind?: string;
  text?: string;
}

function unservedIn(log: readonly LoggedFinding[]): string[] {
  return log.flatMap(({ kind = '', text }) => (UNSERVED.has(kind) && text !== undefined ? [text] : []));
}

/** Returns the name of a point in characters that files, and the command line of Windows, take as they are. */
function fileNameOf(point: string): string {
  const name = point.replace(/[^\w@.-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`);
  if (name.length <= NAME_MAX) return name;
  return `${name.slice(0, NAME_MAX)}-${createHash('sha256').update(point).digest('hex')}`;
}

/** Maximum length of a name from a point. The name of an order has all its messages. */
const NAME_MAX = 100;

/** Returns what sets up the recorded server of a cassette for each run. */
export async function mockServerTargets(transport: FaultTransport, cassette: Cassette): Promise<StdioTargets> {
  if (transport === 'stdio') return stdioTargets(cassette.file);
  return { target: (await import('./http-mock-server.ts')).httpMockServer(cassette), remove() {} };
}
