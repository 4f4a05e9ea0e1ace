import { formatCount } from '../../../kernel/format-count.ts';
import { failedSteps, type Step } from '../../../text-report/outcome-model.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { type CassetteOfBoth, cassettesOfBoth } from '../../git/cassettes-of-revision-and-disk.ts';
import { outcomePaint } from '../../io/output.ts';
import { type ComparedCassettes, type DiffResult, diffJson } from './compare-cassettes.ts';

interface CheckedCassette extends CassetteOfBoth {
  /** Absent: the cassette is deleted or new. */
  compared?: ComparedCassettes;
}

/**
 * Compares all cassettes of a folder or a pattern with those of a revision. A deleted one fails whatever `--fail-on`
 * says, because nothing shows any more what its client relied on. A new one has nothing to compare.
 */
export function diffRevision(
  revision: string,
  pattern: string,
  compare: (before: string, after: string) => ComparedCassettes,
): DiffResult {
  const checked = cassettesOfBoth(revision, pattern).map(
    (one): CheckedCassette => (one.state === 'in both' ? { ...one, compared: compare(one.before, one.file) } : one),
  );
  const where = revision || 'the index';
  const [deleted, added] = [filesOf(checked, 'deleted'), filesOf(checked, 'new')];
  const steps = checked.flatMap((one) => stepsOf(one, where));
  return {
    outcome: { title: 'diff', file: pattern, steps, notes: [], duration: 0 },
    compared: checked.flatMap(({ compared }) => compared ?? []),
    json: (notes) => ({
      a: `${revision}:`,
      b: pattern,
      cassettes: checked.flatMap(({ compared }) => (compared ? [diffJson(compared.diff)] : [])),
      deleted,
      new: added,
      notes,
    }),
    lines: (notes, diffText) => {
      const paint = outcomePaint(process.stdout);
      const parts = checked.flatMap(({ compared, file, state }) => {
        if (compared) return [paint.bold(printable(file)), ...diffText(compared.diff, paint).map(indented), ''];
        const line = printable(`${state === 'new' ? '+' : '-'} ${file}: ${stateText(state, where)}`);
        return [state === 'new' ? line : paint.bad(line), ''];
      });
      const compared = checked.length - deleted.length - added.length;
      const failed = checked.filter((one) => one.compared && failedSteps(one.compared.outcome).length > 0).length;
      const counts = [
        `${formatCount(compared, 'cassette')} compared`,
        ...(failed > 0 ? [`${failed} failed`] : []),
        `${deleted.length} deleted`,
        `${added.length} new`,
      ];
      return [...parts, ...notes.map((note) => paint.dim(`note: ${printable(note)}`)), counts.join(', ')];
    },
  };
}

function filesOf(checked: readonly CheckedCassette[], state: CassetteOfBoth['state']): string[] {
  return checked.filter((one) => one.state === state).map(({ file }) => file);
}

function stateText(state: CassetteOfBoth['state'], where: string): string {
  return state === 'new'
    ? `new since ${where}, so there is nothing to compare`
    : `deleted since ${where}, which counts as breaking: nothing shows any more that its calls are answered`;
}

function stepsOf({ compared, file, state }: CheckedCassette, where: string): Step[] {
  if (compared) return [...compared.outcome.steps];
  const text = stateText(state, where);
  return state === 'new'
    ? [{ title: file, file, status: 'passed', details: [text] }]
    : [{ title: file, file, status: 'failed', headline: text }];
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
