import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import { parseShownCassette } from '../../../cassette/read/parse-cassette.ts';
import type { Side } from '../../../channel/frame.ts';
import { didYouMean } from '../../../kernel/did-you-mean.ts';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import type { Ignore } from '../../../match/ignore-rules.ts';
import { subjectOf } from '../../../protocol/method-table.ts';
import { planClient } from '../../../replay/plan/client-plan.ts';
import { planServer } from '../../../replay/plan/server-plan.ts';
import { callStatsOf, callStatsText } from '../../../text-report/call-stats.ts';
import { printable, printableJson, printableLines } from '../../../text-report/printable-text.ts';
import { type Row, requestsOf, type Timeline, timelineOf } from '../../../text-report/timeline-rows.ts';
import { liveRowText, type Paint, timelineText } from '../../../text-report/timeline-text.ts';
import { loadCassettes } from '../../io/load-cassettes.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, EXIT, print, printJson, printLines, say } from '../../io/output.ts';
import { replayPlanText } from '../../io/replay-plan-text.ts';
import { givenIgnores, type IgnoreOptions } from '../../options/ignore-options.ts';
import { type WidthOf, widthOf } from '../../terminal/word-wrap.ts';

interface Options extends IgnoreOptions {
  tool?: string;
  failed?: boolean;
  stats?: boolean;
  follow?: boolean;
  json?: boolean;
  plan?: string;
  git?: boolean;
  mermaid?: boolean;
}

/** Runs `mcp-record show FILE`: prints the session as a timeline, cut to the width of the terminal or to COLUMNS. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { json = false, plan, git = false, mermaid = false, stats = false } = options;
  const [file = ''] = command.args;
  if (git) return await showForGit(file, givenIgnores(options).ignore);
  if (stats) return await showStats(file, json);
  if (options.follow) return await showGrowing(file, json);
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  if (plan !== undefined) {
    const played = sideOf(plan) === 'server' ? planServer(cassette.events) : planClient(cassette.events);
    await printLines(replayPlanText(played).map(printable));
    return EXIT.ok;
  }
  if (mermaid) {
    const { mermaid } = await import('../../../convert/to/mermaid.ts');
    await print(mermaid(cassette));
    return EXIT.ok;
  }
  const timeline = selected(cassette, options);
  await (json ? printJson(asJson(cassette, timeline)) : printLines(asTable(cassette, timeline, process.stdout)));
  return EXIT.ok;
}

/** Prints the number, duration and size of calls, for a cassette or a folder. */
async function showStats(path: string, json: boolean): Promise<number> {
  const cassettes = loadCassettes(path);
  for (const warning of cassettes.flatMap(({ warnings }) => warnings)) say(warning);
  const stats = callStatsOf(cassettes);
  if (stats.length === 0) say(`${path} has no requests`);
  if (json) await printJson(stats);
  else await print(`${callStatsText(stats, widthOf(process.stdout)).join('\n')}\n`);
  return EXIT.ok;
}

/** Prints rows while recorders write them, one line each, as text or JSON. */
async function showGrowing(path: string, json: boolean): Promise<number> {
  const { follow } = await import('./show-follow.ts');
  const options = { paint: paintOf(process.stdout), width: widthOf(process.stdout) };
  const text = (row: Row) => `${json ? printableJson(JSON.stringify(row)) : liveRowText(row, options)}\n`;
  return follow(path, (rows) => void print(rows.map(text).join('')));
}

/** Returns the timeline of a cassette, or of the requests that the options select. */
function selected(cassette: Cassette, { tool, failed = false }: Options): Timeline {
  const timeline = timelineOf(cassette);
  if (tool === undefined && !failed) return timeline;
  const call = tool === undefined ? undefined : subjectOf('tools/call', { name: tool });
  if (call !== undefined && !timeline.rows.some((row) => isCall(row) && row.what === call))
    throw noSuchTool(cassette.file, tool!, timeline);
  return requestsOf(
    timeline,
    (row) =>
      (call === undefined || (isCall(row) && row.what === call)) &&
      (!failed || row.fate === 'error' || row.fate === 'pending'),
  );
}

function isCall({ from, kind, what }: Row): boolean {
  return from === 'client' && kind === 'request' && what.startsWith(`${CALL} `);
}

function noSuchTool(file: string, tool: string, { rows }: Timeline): McpRecordError {
  const names = [...new Set(rows.filter(isCall).map(({ what }) => what.slice(CALL.length + 1)))];
  const meant = didYouMean(JSON.stringify(tool), names);
  const known = names.length > 0 ? `It calls: ${names.join(', ')}.` : 'It calls no tool.';
  return new McpRecordError({
    code: 'USAGE_NOT_IN_CASSETTE',
    what: `Cannot show the tool "${tool}"`,
    why: `${file} has no call of it`,
    next: meant === undefined ? known : `Did you mean ${meant}? ${known}`,
  });
}

const CALL = 'tools/call';

/**
 * Prints any version of a file for git: the session of a cassette, also with a `match` that no test accepts, or the file
 * itself. `ignore` excludes values that differ in each recording.
 */
async function showForGit(file: string, ignore: readonly Ignore[]): Promise<number> {
  const { sessionText } = await import('../../../diff/session-text.ts');
  const text = () => {
    const bytes = readCassette(file);
    const written = Buffer.from(bytes).toString();
    try {
      const shown = parseShownCassette(bytes, file);
      for (const { error } of shown.refusals ?? []) say(messageOf(error));
      return sessionText(shown, written, ignore);
    } catch (error) {
      say(messageOf(error));
      return written;
    }
  };
  await print(printableLines(text()));
  return EXIT.ok;
}

function asJson({ file, header, end }: Cassette, timeline: Timeline): object {
  return { file, header, end, ...timeline };
}

function asTable(cassette: Cassette, timeline: Timeline, terminal: WidthOf): string[] {
  const lines = timelineText(timeline, { paint: paintOf(terminal), width: widthOf(terminal) });
  return [coloursFor(terminal).bold(printable(title(cassette))), '', ...lines];
}

function paintOf(terminal: WidthOf): Paint {
  const { dim, cyan, green, red } = coloursFor(terminal);
  return { dim, client: cyan, server: green, bad: red };
}

function title({ file, header, end }: Cassette): string {
  const { transport, recorder, recorded } = header;
  const ending = recorder !== undefined && end === undefined ? 'cut off' : undefined;
  return [file, transport, recorder, recorded, ending].filter((part) => part !== undefined).join(' · ');
}

function sideOf(side: string): Side {
  if (side === 'server' || side === 'client') return side;
  throw new McpRecordError({
    code: 'USAGE_BAD_SIDE',
    what: `Cannot show the score of "${side}"`,
    why: 'a session has a client and a server',
    next: 'Ask for --plan server (what the mock server waits for) or --plan client.',
  });
}
