import { changeLines } from './change-lines.ts';
import { type DifferenceNames, type DifferencePaint, differenceText, paintDifference } from './difference-text.ts';
import { countOf, failedSteps, type Outcome, placeOfStep, type Step } from './outcome-model.ts';
import { printable } from './printable-text.ts';

/** Colours, or another form of emphasis. */
export interface OutcomePaint extends DifferencePaint {
  dim(text: string): string;
}

const asIs = (text: string): string => text;
const PLAIN: OutcomePaint = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };

/**
 * Formats an outcome for a file or a pipe: the failures with their differences, then a line for each other step, then a
 * summary. Nobody has seen a step before, so each is there once. The order is that of the session: the first failure may
 * be why others fail.
 */
export function outcomeText(outcome: Outcome, paint: OutcomePaint = PLAIN): string[] {
  const detailed = detailedSteps(outcome);
  const others = outcome.steps.filter((step) => !detailed.includes(step));
  const blocks = detailed.map((step) => {
    // The difference begins with an empty line and the headline.
    const [, ...drawn] = details(step, outcome, paint);
    return drawn.length > 0 ? drawn : [headline(step, outcome, paint)];
  });
  const sections = [...joinedHeadlines(blocks), others.map((step) => stepLine(step, paint))].filter(
    ({ length }) => length > 0,
  );
  return [
    ...sections.flatMap((section, index) => (index === 0 ? section : ['', ...section])),
    ...conclusion(outcome, paint),
  ];
}

/** Returns blocks of which those of a single line that follow each other are one. */
function joinedHeadlines(blocks: readonly string[][]): string[][] {
  const joined: string[][] = [];
  for (const [index, block] of blocks.entries()) {
    const isContinued = block.length === 1 && blocks[index - 1]?.length === 1;
    if (isContinued) joined.at(-1)!.push(...block);
    else joined.push([...block]);
  }
  return joined;
}

/**
 * Formats the rest of an outcome for a terminal that already shows some steps, as lines of {@link stepLine}: remaining
 * steps, then differences, then failures. Failures come last because the end of the output stays visible.
 */
export function restOfOutcomeText(outcome: Outcome, paint: OutcomePaint, isShown: (line: string) => boolean): string[] {
  const drawn = detailedSteps(outcome).map((step) => details(step, outcome, paint));
  // For a single failure, the difference already begins with the headline.
  const heads = drawn.length === 1 && drawn[0]!.length > 0 ? [] : headlines(outcome, paint);
  return [
    ...outcome.steps.map((step) => stepLine(step, paint)).filter((line) => !isShown(line)),
    ...drawn.flat(),
    ...(heads.length > 0 ? ['', ...heads] : []),
    ...conclusion(outcome, paint),
  ];
}

/** Returns the steps whose differences are shown. */
function detailedSteps({ steps }: Outcome): Step[] {
  return steps.filter(({ status, isTakenOver }) => status === 'failed' || isTakenOver);
}

function conclusion(outcome: Outcome, paint: OutcomePaint): string[] {
  const { notes } = outcome;
  return [
    ...(notes.length > 0 ? [''] : []),
    ...notes.map((note) => paint.dim(`note: ${printable(note)}`)),
    '',
    summary(outcome, paint),
  ];
}

/** Maximum number of headlines, so that the first ten lines of a long output show the failures. */
const HEADLINES_MAX = 8;

function headlines(outcome: Outcome, paint: OutcomePaint): string[] {
  const failed = failedSteps(outcome);
  const more = failed.length - HEADLINES_MAX;
  return [
    ...failed.slice(0, HEADLINES_MAX).map((step) => headline(step, outcome, paint)),
    ...(more > 0 ? [paint.bad(`  and ${more} more`)] : []),
  ];
}

function headline(step: Step, { file }: Outcome, paint: OutcomePaint): string {
  const what = printable(`${step.isTakenOver ? '↻' : '✗'} ${step.title}: ${step.headline ?? 'failed'}`);
  return `${step.isTakenOver ? paint.good(what) : paint.bad(what)} ${paint.dim(printable(`(${placeOfStep(step, file)})`))}`;
}

/** Formats one step: its mark, title, line and duration. */
export function stepLine(step: Step, paint: OutcomePaint): string {
  const { status, title, line, duration, headline: why, isTakenOver } = step;
  const place = line === undefined ? '' : `  line ${line}`;
  const time = duration === undefined ? '' : `  ${duration.toFixed(0)} ms`;
  const reason = status === 'skipped' && why !== undefined ? `  ${printable(why)}` : '';
  return `${isTakenOver ? paint.good('↻') : mark(status, paint)} ${printable(title)}${paint.dim(place + time + reason)}`;
}

function mark(status: Step['status'], { good, bad, dim }: OutcomePaint): string {
  if (status === 'passed') return good('✓');
  return status === 'failed' ? bad('✗') : dim('-');
}

/** Returns the details of a failed step beyond its headline. */
function details(step: Step, outcome: Outcome, paint: OutcomePaint): string[] {
  const { recorded, live, changes = [], details: rest = [] } = step;
  const hasDifference = recorded !== undefined || live !== undefined;
  const lines = [
    ...rest.flatMap((text) => text.split('\n').map(printable)),
    ...changeLines(changes).map(printable),
    ...(hasDifference
      ? differenceText(recorded, live, namesOf(step, outcome)).map((line) => paintDifference(line, paint))
      : []),
  ];
  if (lines.length === 0) return [];
  return ['', headline(step, outcome, paint), ...lines.map((line) => `  ${line}`)];
}

function namesOf(step: Step, { file }: Outcome): DifferenceNames {
  return { recorded: placeOfStep(step, file), live: 'live' };
}

function summary(outcome: Outcome, { good, bad }: OutcomePaint): string {
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((status) =>
    countOf(outcome, status),
  );
  const taken = outcome.steps.filter(({ isTakenOver }) => isTakenOver).length;
  const parts = [
    ...(failed ? [bad(`${failed} failed`)] : []),
    ...(taken ? [good(`${taken} taken over`)] : []),
    good(`${passed! - taken} passed`),
    ...(skipped ? [`${skipped} skipped`] : []),
  ];
  return `${parts.join(', ')} in ${(outcome.duration / 1_000).toFixed(1)} s`;
}
