import type { CheckResult, EndedRun } from './check-verdicts-and-summary.ts';

/** A difference of a message, or of other rules, with its changes. */
interface Difference {
  isFailure: boolean;
  /** Title of the message with the difference, as `diff` or `verify` prints it. */
  headline: string;
  changes: Set<string>;
}

/**
 * Returns the differences that `diff` and `verify` have found, as lines: first those that fail a check (`✗`), then those
 * that pass (`✓`), each with its further changes below.
 */
export function changeSummary(results: readonly CheckResult[]): string[] {
  const found = new Map<string, Difference>();
  for (const { name, runs } of results) {
    if (name !== 'changes' && name !== 'server') continue;
    for (const run of runs)
      for (const one of name === 'changes' ? differencesOfDiff(run) : differencesOfVerify(run)) {
        const key = JSON.stringify([one.isFailure, one.headline]);
        const changes = [...(found.get(key)?.changes ?? []), ...one.changes];
        found.set(key, { ...one, changes: new Set(changes) });
      }
  }
  return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b)).flatMap(linesOf);
}

const KINDS: readonly string[] = ['breaking', 'suspicious', 'other', 'settings', 'compatible', 'cosmetic'];
const KIND = /(?:^|: )(breaking|suspicious|compatible|cosmetic): /;

/** Returns the place of a difference in the summary: failures first, each group with the worst kind first. */
function rankOf({ isFailure, headline, changes }: Difference): number {
  const kinds = [headline, ...changes].flatMap((text) => KIND.exec(text)?.[1] ?? []);
  const other = headline.startsWith('The settings ') ? 'settings' : 'other';
  const ranks = (kinds.length > 0 ? kinds : [other]).map((kind) => KINDS.indexOf(kind));
  return Math.min(...ranks) + (isFailure ? 0 : KINDS.length);
}

/** Returns the lines of a difference. The headline already quotes a change, which is not repeated, unlike its users. */
function linesOf({ isFailure, headline, changes }: Difference): string[] {
  const isQuoted = (change: string) => headline.includes(change.replace(/ \([^()]*\)$/, ''));
  const rest = [...changes].filter((change) => !isQuoted(change));
  return [`${isFailure ? '✗' : '✓'} ${headline}`, ...rest.map((change) => `    ${change}`)];
}

/** A change, or the users of the change above it. */
const CHANGE =
  /^ +((?:breaking|suspicious|compatible|cosmetic): .*|used by .*|cassettes do not show whether this is used)$/;

function differencesOfDiff(run: EndedRun): Difference[] {
  // A deleted cassette stands at the beginning of the line, the differences of the others do not.
  return differencesIn(run, /^(?: {2}([~↕+✗✓-])|(-)) (.*)$/);
}

/** Returns the failed steps, and those that a note names because `--fail-on` lets them pass. */
function differencesOfVerify(run: EndedRun): Difference[] {
  return differencesIn(run, /^(?:(✗)|note: --fail-on \S+ (does not fail)) (.*)$/);
}

/** Returns the differences whose headlines have a form, and the changes below each. */
function differencesIn({ status, output }: EndedRun, form: RegExp): Difference[] {
  const all: Difference[] = [];
  for (const line of output.split('\n')) {
    const [, mark, other, headline] = form.exec(line) ?? [];
    const [, change] = CHANGE.exec(line) ?? [];
    if (headline !== undefined) {
      const isPassing = mark === '✓' || other === 'does not fail' || status === 0;
      all.push({ isFailure: !isPassing, headline, changes: new Set() });
    } else if (change !== undefined) all.at(-1)?.changes.add(change);
  }
  return all;
}
