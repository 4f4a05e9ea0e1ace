import { expect, it } from 'vitest';
import { parsePointer } from '../../src/match/ignore-rules.ts';
import { ADVERSARIAL_UNITS, OTHER_PROSE, PROSE, textOf } from './adversarial-units.ts';
import { PARSERS, readWith } from './parsers.ts';
import { workOf } from './work.ts';

const LENGTH_MIN = 2_000;
/** Of the shorter text. `npm run fuzz` takes longer ones. */
const LENGTH_OF_TEXT = Number(process.env.FUZZ_LENGTH ?? LENGTH_MIN);
/** How many times the steps of prose a byte of a hostile text may take. */
const FACTOR_MAX = 5;
/** Steps for a byte of prose, where it is skipped by a search of the engine, which counts as none. */
const STEPS_MIN = 1;
/** Steps that each byte may take more in a text of twice the length, for sorting and buffers that grow. */
const MORE_MAX = 0.5;

it.each(Object.entries(PARSERS))(
  '%s: hostile texts take steps as prose does, however long they are',
  async (_, parser) => {
    expect(await costlyUnits(parser)).toEqual([]);
  },
);

it('a parser that looks at everything again from some places is found', async () => {
  // The loop stands in a source, whose steps are counted.
  const again = (text: string) => {
    const parts = text.split('[');
    for (const at of parts.keys()) parsePointer(`/${parts.slice(at).join('/')}`);
  };
  expect(await costlyUnits(again, LENGTH_MIN)).toEqual(expect.arrayContaining([expect.stringContaining('"["')]));
});

/** Returns the units of which a text takes too many steps, with what it took. */
async function costlyUnits(parser: (text: string) => unknown, length = LENGTH_OF_TEXT): Promise<string[]> {
  const measure = (units: readonly string[], characters: number) => {
    const texts = units.map((unit) => textOf(unit, characters));
    return workOf(
      () => {
        for (const text of texts) readWith(parser, text);
      },
      { decoding: true },
    );
  };
  await measure([PROSE, ...ADVERSARIAL_UNITS], length);
  const inProse = Math.max(await measure([PROSE], length), await measure([OTHER_PROSE], length));
  const prose = Math.max(STEPS_MIN, inProse / length);
  const bytes = length * ADVERSARIAL_UNITS.length;
  const [once, twice] = [await measure(ADVERSARIAL_UNITS, length), await measure(ADVERSARIAL_UNITS, 2 * length)];
  if (once / bytes < FACTOR_MAX * prose && (twice - 2 * once) / bytes < MORE_MAX * prose) return [];
  // All of them together: which one it is, is looked up only now.
  const found: string[] = [];
  for (const unit of ADVERSARIAL_UNITS) {
    const [one, two] = [await measure([unit], length), await measure([unit], 2 * length)];
    const isLinear = (two - 2 * one) / length < MORE_MAX * prose;
    if (isLinear && one / length < FACTOR_MAX * prose) continue;
    found.push(`${JSON.stringify(unit)}: ${one} steps, and ${two} for twice the length; prose ${prose * length}`);
  }
  return found;
}
