import { changeLines } from '../text-report/change-lines.ts';
import type { OutcomePaint } from '../text-report/check-outcome-text.ts';
import { differenceText, paintDifference } from '../text-report/difference-text.ts';
import { printable } from '../text-report/printable-text.ts';
import type { Entry, SessionDiff } from './diff-sessions.ts';

const MARKS: Readonly<Record<Entry['kind'], string>> = { changed: '~', moved: '↕', gone: '-', new: '+' };

/** Mark of an entry that `--fail-on` lets pass. */
const PASSES = '✓';

const WHY_SETTINGS =
  'Other rules fail, because they decide what a test accepts: a new one could hide a breaking change.';

/** Returns the differences as lines: a headline for each entry, then details, then a summary. */
export function diffText(diff: SessionDiff, paint: OutcomePaint): string[] {
  const { entries, settingsNotes } = diff;
  const notes = diff.notes.filter((note) => !settingsNotes.includes(note));
  const heads = entries.map((entry) => headline(entry, diff, paint));
  const drawn = entries.flatMap((entry, index) => {
    const lines = details(entry, diff, paint);
    return lines.length > 0 ? ['', heads[index]!, ...lines.map((line) => `  ${line}`)] : [];
  });
  return [
    ...heads,
    ...drawn,
    ...(entries.length > 0 ? [''] : []),
    ...settingsNotes.map((note) => paint.bad(printable(`✗ ${note}`))),
    ...(settingsNotes.length > 0 ? [paint.dim(`  ${WHY_SETTINGS}`)] : []),
    ...notes.map((note) => paint.dim(`note: ${printable(note)}`)),
    summary(diff),
  ];
}

function headline(
  { kind, title, headline: why, passes = false, a, b }: Entry,
  diff: SessionDiff,
  paint: OutcomePaint,
): string {
  const places = [a && `${diff.a}:${a}`, b && `${diff.b}:${b}`].filter((place) => place !== undefined);
  const what = printable(`${passes ? PASSES : MARKS[kind]} ${title}: ${why}`);
  const brush = passes || kind === 'new' ? paint.good : paint.bad;
  return places.length === 0 ? brush(what) : `${brush(what)} ${paint.dim(printable(`(${places.join(', ')})`))}`;
}

function details(entry: Entry, diff: SessionDiff, paint: OutcomePaint): string[] {
  const { kind, changes, before, after, a, b } = entry;
  if (kind !== 'changed' || (before === undefined && after === undefined)) return [];
  const names = {
    recorded: a === undefined ? diff.a : `${diff.a}:${a}`,
    live: b === undefined ? diff.b : `${diff.b}:${b}`,
  };
  return [
    ...changeLines(changes).map(printable),
    ...differenceText(before, after, names).map((line) => paintDifference(line, paint)),
  ];
}

function summary({ entries, otherSettings, same }: SessionDiff): string {
  const count = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).length;
  const parts = (['changed', 'moved', 'gone', 'new'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${count(kind)} ${kind}`);
  const settings = otherSettings > 0 ? [`${otherSettings} with other settings`] : [];
  return [...parts, ...settings, `${same} the same`].join(', ');
}
