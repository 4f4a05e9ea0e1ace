import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { diffSessions } from '../../../diff/diff-sessions.ts';
import { buildReport } from '../../../html-report/data/build-report-data.ts';
import { type FaultLogEntry, readFaultLog } from '../../../html-report/data/faults/read-fault-log.ts';
import { reportPage } from '../../../html-report/html-page.ts';
import { readAssets } from '../../../html-report/report-assets.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { readNamedText } from '../../../kernel/read-file.ts';
import { withFolderAdvice } from '../../cassette-files/folder-instead-of-cassette.ts';
import { loadCassetteRevision } from '../../git/load-cassette-revision.ts';
import { EXIT, print, say } from '../../io/output.ts';
import { givenIgnores, type IgnoreOptions, sayUnusedIgnores } from '../../options/ignore-options.ts';
import { attempt } from '../../reports/rethrow-as-problem.ts';
import { writeReport } from '../../reports/write-report-file.ts';

interface Options extends IgnoreOptions {
  output?: string;
  journal?: string;
}

/**
 * Runs `mcp-record report FILE…`: writes sessions as an HTML page, to standard output or a file. An earlier report is
 * replaced.
 */
export async function run(command: Command): Promise<number> {
  const { output, journal, ...ignores } = command.opts<Options>();
  const given = givenIgnores(ignores);
  const cassettes = command.args.map((file) => loaded(file, command));
  for (const { warnings } of cassettes) for (const warning of warnings) say(warning);
  const page = buildReport(cassettes, {
    journal: journal === undefined ? [] : journalAt(journal),
    differencesBetween: (before, after) => diffSessions(before, after, given.ignore).entries,
  });
  sayUnusedIgnores(given, cassettes);
  const text = reportPage(page, readAssets());
  if (output === undefined) {
    if (process.stdout.isTTY) throw notOnTerminal(cassettes[0]!.file);
    await print(text);
    return EXIT.ok;
  }
  if (existsSync(output)) replaceOurs(output);
  writeReport(output, text);
  say(`wrote ${output}`);
  return EXIT.ok;
}

function loaded(file: string, command: Command): Cassette {
  try {
    return loadCassetteRevision(file);
  } catch (error) {
    throw withFolderAdvice(error, { command, file });
  }
}

/** Refuses to overwrite a file unless it is an earlier report. The path may be a cassette named by mistake. */
function replaceOurs(file: string): void {
  const there = statSync(file);
  if (there.isDirectory()) {
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write the report ${file}`,
      why: 'it is a folder',
      next: `Name a file in it: -o ${join(file, 'report.html')}`,
    });
  }
  // Devices and pipes hold no data to lose.
  if (!there.isFile()) return;
  if (readNamedText(file).slice(0, 2_000).includes('name="generator" content="mcp-record ')) {
    return say(`${file} was a report, and is replaced`);
  }
  throw new McpRecordError({
    code: 'USAGE_CANNOT_WRITE',
    what: `Cannot write the report ${file}`,
    why: 'a file with this name exists, and is not a report',
    next: 'Name another with -o, or remove it.',
  });
}

function journalAt(file: string): FaultLogEntry[] {
  return attempt(() => readFaultLog(readNamedText(file)), {
    code: 'USAGE_BAD_JOURNAL',
    what: `Cannot read the faults in ${file}`,
    next: 'Give the file that --journal of record or proxy has written.',
  });
}

function notOnTerminal(cassette: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_NO_OUTPUT',
    what: 'Cannot print the page',
    why: 'a terminal cannot show it',
    next: `Write it to a file: mcp-record report -o ${cassette.replace(/\.ya?ml$/, '')}.html ${cassette}`,
  });
}
