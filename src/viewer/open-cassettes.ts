import type { Cassette } from '../cassette/cassette.ts';
import { tooLarge, unreadable } from '../cassette/cassette-errors.ts';
import { parseCassetteBytes } from '../cassette/read/parse-cassette.ts';
import { diffSessions } from '../diff/diff-sessions.ts';
import type { View } from '../html-report/data/report-data-types.ts';
import { reportViews } from '../html-report/data/report-views.ts';
import type {
  FileProblem,
  OpenedCassettes,
  OpenedFile,
  OpenProgress,
} from '../html-report/data/viewer/viewer-messages.ts';
import { McpRecordError, messageOf } from '../kernel/errors.ts';

/** Largest file that a page opens. A tab of a browser has less memory than a process. */
export const VIEWER_BYTES_MAX: number = 100 * 1024 * 1024;

/**
 * Reads files and makes the report of the cassettes among them: the session of a single cassette, or the sessions and
 * differences of several. The oldest recording comes first. `report` is called with the progress.
 */
export async function openCassettes(
  files: readonly OpenedFile[],
  report: (progress: OpenProgress) => void,
): Promise<OpenedCassettes> {
  const cassettes: Cassette[] = [];
  const problems: FileProblem[] = [];
  for (const file of files) {
    try {
      cassettes.push(await cassetteIn(file, report));
    } catch (error) {
      problems.push(problemOf(error, file));
    }
  }
  report({ kind: 'progress', doing: 'Drawing' });
  try {
    return { kind: 'opened', views: cassettes.length === 0 ? [] : viewsOf(cassettes), problems };
  } catch (error) {
    return { kind: 'opened', views: [], problems: [...problems, internalProblem(error)] };
  }
}

async function cassetteIn(file: OpenedFile, report: (progress: OpenProgress) => void): Promise<Cassette> {
  const doing = `Reading ${file.name}`;
  report({ kind: 'progress', doing, done: 0 });
  if (file.size > VIEWER_BYTES_MAX) {
    const why = `it has ${file.size} bytes, and this page opens at most ${VIEWER_BYTES_MAX}`;
    throw tooLarge(file.name, why, `Take a part of it: mcp-record cut, or print it: mcp-record show ${file.name}`);
  }
  const bytes = new Uint8Array(await bytesIn(file));
  return parseCassetteBytes(bytes, file.name, (done, of) => report({ kind: 'progress', doing, done: done / of }));
}

async function bytesIn(file: OpenedFile): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (error) {
    throw unreadable(file.name, error);
  }
}

function problemOf(error: unknown, file: OpenedFile): FileProblem {
  const known = error instanceof McpRecordError ? error : unreadable(file.name, error);
  const { code, what, why, next, place } = known.problem;
  return { code, what, why, next, ...(place && { place }) };
}

function internalProblem(error: unknown): FileProblem {
  return {
    code: 'VIEWER_INTERNAL',
    what: 'Cannot show the session',
    why: messageOf(error),
    next: 'This is a bug of mcp-record. Please report it, with this message.',
  };
}

/** A text of numbers and letters orders times as written by recorders. */
function byTime(one: Cassette, other: Cassette): number {
  return (one.header.recorded ?? '').localeCompare(other.header.recorded ?? '');
}

function viewsOf(cassettes: readonly Cassette[]): View[] {
  const views = reportViews(cassettes.toSorted(byTime), {
    differencesBetween: (before, after) => diffSessions(before, after).entries,
  });
  return views.map((view) =>
    view.kind === 'session' ? view : { ...view, warnings: [...view.warnings, NOT_VALIDATED] },
  );
}

/** Stands above differences: what `newly-invalid-definitions-in-browser.ts` leaves out. */
const NOT_VALIDATED = 'This page does not check whether definitions of tools are still valid: mcp-record diff does.';
