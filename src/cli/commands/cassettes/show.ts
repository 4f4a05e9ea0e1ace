import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import type { Side } from '../../../channel/frame.ts';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import { planClient } from '../../../replay/plan/client-plan.ts';
import { planServer } from '../../../replay/plan/server-plan.ts';
import { printable, printableLines } from '../../../text-report/printable-text.ts';
import { timelineOf } from '../../../text-report/timeline.ts';
import { type Paint, timelineText } from '../../../text-report/timeline-text.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, EXIT, print, say } from '../../io/output.ts';
import { planText } from '../../io/plan-text.ts';

interface Options {
  json?: boolean;
  plan?: string;
  git?: boolean;
  mermaid?: boolean;
}

/** `mcp-record show FILE`: the session as a timeline, on standard output; cut to the width of a terminal, or to COLUMNS. */
export async function run(command: Command): Promise<number> {
  const { json = false, plan, git = false, mermaid = false } = command.opts<Options>();
  if (git) return await showForGit(command.args[0]!);
  const cassette = loadWithProgress(command.args[0]!);
  for (const warning of cassette.warnings) say(warning);
  if (plan !== undefined) {
    const played = sideOf(plan) === 'server' ? planServer(cassette.events) : planClient(cassette.events);
    process.stdout.write(`${planText(played).map(printable).join('\n')}\n`);
    return EXIT.ok;
  }
  if (mermaid) {
    const { mermaid } = await import('../../../convert/to/mermaid.ts');
    await print(mermaid(cassette));
    return EXIT.ok;
  }
  await print(json ? asJson(cassette) : asTable(cassette, process.stdout));
  return EXIT.ok;
}

/** Prints any version of a file for git: the timeline of a cassette, or the file itself. */
async function showForGit(file: string): Promise<number> {
  const { sessionText } = await import('../../../diff/session-text.ts');
  const text = () => {
    try {
      return printableLines(sessionText(loadWithProgress(file)));
    } catch (error) {
      say(messageOf(error));
      return readCassette(file);
    }
  };
  await print(text());
  return EXIT.ok;
}

function asJson(cassette: Cassette): string {
  const { file, header, end } = cassette;
  return `${JSON.stringify({ file, header, end, ...timelineOf(cassette) }, undefined, 2)}\n`;
}

function asTable(cassette: Cassette, terminal: { isTTY?: boolean; columns?: number }): string {
  const colours = coloursFor(terminal);
  const paint: Paint = { dim: colours.dim, client: colours.cyan, server: colours.green, bad: colours.red };
  const width = terminal.isTTY ? terminal.columns : Number(process.env.COLUMNS);
  const lines = timelineText(timelineOf(cassette), { paint, ...(width && { width }) });
  return `${colours.bold(printable(title(cassette)))}\n\n${lines.join('\n')}\n`;
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
