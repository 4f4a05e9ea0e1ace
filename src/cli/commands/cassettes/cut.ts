import type { Command } from 'commander';
import { readCassette } from '../../../cassette/read/load-cassette.ts';
import { isEarlierCut } from '../../../edit/cut/is-earlier-cut.ts';
import { type CutCassette, keepSelectedEvents } from '../../../edit/cut/keep-selected-events.ts';
import { formatCount, grouped } from '../../../kernel/format-count.ts';
import { type SelectionOptions, selectionFrom } from '../../edit/selection-options.ts';
import { writeNewCassette } from '../../edit/write-new-cassette.ts';
import { EXIT, say } from '../../io/output.ts';

interface Options extends SelectionOptions {
  drop?: boolean;
  output?: string;
}

/** Runs `mcp-record cut FILE`: keeps a part of a cassette with all events it depends on. */
export async function run(command: Command): Promise<number> {
  const { drop = false, output, ...selected } = command.opts<Options>();
  const [file = ''] = command.args;
  const selection = selectionFrom(selected);
  const whole = Buffer.from(readCassette(file)).toString('utf8');
  const cut = keepSelectedEvents(whole, file, { selection, drop });
  for (const warning of cut.warnings) say(warning);
  await writeNewCassette(output, cut.text, [file], (earlier) => isEarlierCut(earlier, whole));
  say(countsText(cut, drop));
  return EXIT.ok;
}

function countsText({ counts: { all, kept, alsoKept, alsoDropped } }: CutCassette, drop: boolean): string {
  const of = `of ${formatCount(all, 'event')}`;
  if (!drop)
    return `kept ${grouped(kept)} ${of}${alsoKept > 0 ? `, ${grouped(alsoKept)} of them since others need them` : ''}`;
  const also = alsoDropped > 0 ? `, ${grouped(alsoDropped)} of them since they need others` : '';
  const stay = alsoKept > 0 ? `; ${grouped(alsoKept)} that were selected stay, since others need them` : '';
  return `removed ${grouped(all - kept)} ${of}${also}${stay}`;
}
