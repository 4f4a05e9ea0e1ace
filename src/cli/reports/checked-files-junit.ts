import { formatCount } from '../../kernel/format-count.ts';
import { junitXml } from '../../text-report/junit.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { errorStep, type JsonError } from './error-in-reports.ts';

/** Result of checking one file. */
export interface CheckedFile {
  file: string;
  /** Findings that fail the file. */
  failures: readonly Finding[];
  /** Findings that do not fail it. */
  notes?: readonly Finding[];
}

/** Finding as lines of text. The first line is a complete summary. */
export type Finding = readonly [summary: string, ...explanation: string[]];

/** A file that could not be checked. */
export interface UncheckedFile {
  file: string;
  error: JsonError;
}

interface CheckedFilesJunitOptions {
  /** Name of the command, used as the name of each case. */
  name: string;
  /** Singular noun for the `failures`. */
  noun: string;
  files: readonly (CheckedFile | UncheckedFile)[];
}

/** Formats the results of a command that checks files as JUnit XML: one case for each file, so that a clean file passes. */
export function checkedFilesJunit({ name, noun, files }: CheckedFilesJunitOptions): string {
  const [first, ...others] = files;
  const suite = first !== undefined && others.length === 0 ? first.file : formatCount(files.length, 'file');
  const steps = files.map((one) => ('error' in one ? errorStep(one.error, { name, file: one.file }) : stepOf(one)));
  return junitXml({ title: name, file: suite, steps, notes: [], duration: 0 });

  function stepOf({ file, failures, notes = [] }: CheckedFile): Step {
    const details = [...failures, ...notes].flat();
    const [worst, ...rest] = failures;
    if (worst === undefined) return { title: name, file, status: 'passed', details };
    const more = rest.length === 0 ? '' : ` (and ${formatCount(rest.length, `more ${noun}`)})`;
    return { title: name, file, status: 'failed', headline: `${worst[0]}${more}`, details };
  }
}
