import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { diffSessions } from '../../../diff/diff-sessions.ts';
import { buildReport } from '../../../html-report/data/build-report-data.ts';
import { type FaultLogEntry, readFaultLog } from '../../../html-report/data/faults/read-fault-log.ts';
import { peersOf } from '../../../html-report/data/peers.ts';
import { reportPage, viewerPage } from '../../../html-report/html-page.ts';
import { readAssets, readViewerAssets } from '../../../html-report/report-assets.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { packageVersion } from '../../../kernel/installed-package.ts';
import { readNamedText } from '../../../kernel/read-regular-file.ts';
import { shellWord } from '../../../text-report/shell-word.ts';
import { withFolderAdvice } from '../../cassette-files/folder-instead-of-cassette.ts';
import { requireTimeline } from '../../cassette-files/require-timeline.ts';
import { loadCassetteRevision } from '../../git/load-cassette-revision.ts';
import { EXIT, print, say } from '../../io/output.ts';
import { givenIgnores, type IgnoreOptions, sayUnusedIgnores } from '../../options/ignore-options.ts';
import { checkReplaceable } from '../../reports/replaceable-file.ts';
import { attempt } from '../../reports/wrap-thrown-error.ts';
import { writeReport } from '../../reports/write-report-file.ts';

interface Options extends IgnoreOptions {
  output?: string;
  journal?: string;
  viewer?: true;
  timeline?: true;
}

/**
 * Runs `mcp-record report FILE…`: writes sessions as an HTML page, to standard output or a file. An earlier report is
 * replaced. With `--timeline` the page shows all sessions on one axis of time. With `--viewer` it has no session, and
 * opens those that it is given in a browser.
 */
export async function run(command: Command): Promise<number> {
  const { output, journal, viewer, timeline, ...ignores } = command.opts<Options>();
  if (viewer) {
    if (command.args.length > 0) throw viewerOfFiles(command.args);
    return write(viewerPage(packageVersion(), readViewerAssets()), output, '--viewer');
  }
  if (command.args.length === 0)
    command.error("error: missing required argument 'file'", { code: 'commander.missingArgument' });
  const given = givenIgnores(ignores);
  const cassettes = command.args.map((file) => loaded(file, command));
  if (timeline) requireTimeline(cassettes);
  for (const { warnings } of cassettes) for (const warning of warnings) say(warning);
  const page = buildReport(cassettes, {
    ...(timeline && { isTimeline: true }),
    journal: journal === undefined ? [] : journalAt(journal),
    differencesBetween: (before, after) => diffSessions(before, after, given.ignore).entries,
    ignore: given.ignore,
  });
  const servers = new Set(cassettes.map((one) => peersOf(one).serverName));
  if (!timeline && servers.size > 1 && !servers.has(undefined)) say(OF_TWO_SERVERS);
  sayUnusedIgnores(given, cassettes);
  const shown = timeline ? ['--timeline', ...command.args].map(shellWord).join(' ') : cassettes[0]!.file;
  return write(reportPage(page, readAssets()), output, shown);
}

const OF_TWO_SERVERS =
  'the sessions are of servers with different names, and the page compares them. To see two servers of one host, add --timeline.';

/** Writes a page to a file, or to standard output. `shown`: what the command line has asked for. */
async function write(page: string, output: string | undefined, shown: string): Promise<number> {
  if (output === undefined) {
    if (process.stdout.isTTY) throw notOnTerminal(shown);
    await print(page);
    return EXIT.ok;
  }
  checkReplaceable(output, { option: '-o', kind: 'report' });
  writeReport(output, page);
  say(`wrote ${output}`);
  return EXIT.ok;
}

function viewerOfFiles([file]: readonly string[]): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: 'Cannot use --viewer',
    why: `it has no meaning with the cassette ${file}`,
    next: `Leave --viewer out for a page of the cassette, or leave the cassette out and drop it on the page.`,
  });
}

function loaded(file: string, command: Command): Cassette {
  try {
    return loadCassetteRevision(file);
  } catch (error) {
    throw withFolderAdvice(error, { command, file });
  }
}

function journalAt(file: string): FaultLogEntry[] {
  return attempt(() => readFaultLog(readNamedText(file)), {
    code: 'USAGE_BAD_JOURNAL',
    what: `Cannot read the faults in ${file}`,
    next: 'Give the file that --journal of record or proxy has written.',
  });
}

function notOnTerminal(shown: string): McpRecordError {
  const [, option] = /^--(viewer|timeline)\b/.exec(shown) ?? [];
  const name = option ?? shown.replace(/\.ya?ml$/, '');
  return new McpRecordError({
    code: 'USAGE_NO_OUTPUT',
    what: 'Cannot print the page',
    why: 'a terminal cannot show it',
    next: `Write it to a file: mcp-record report -o ${name}.html ${shown}`,
  });
}
