import { expect, it } from 'vitest';
import { parsePointer } from '../../src/match/ignore-rules.ts';
import { ADVERSARIAL_UNITS, OTHER_PROSE, PROSE, textOf } from './adversarial-units.ts';
import { PARSERS, readWith } from './parsers.ts';
import { workOf } from './work.ts';

const LENGTH_MIN = 2_000;
/** Of the shorter text. `npm run fuzz` takes longer ones. */
const LENGTH_OF_TEXT = Number(process.env.FUZZ_LENGTH ?? LENGTH_MIN);
/** What the planted loop does is seen in a short text, and takes a sixteenth of the time there. */
const LENGTH_OF_PLANTED = 500;
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
  expect(await costlyUnits(again, LENGTH_OF_PLANTED)).toEqual(expect.arrayContaining([expect.stringContaining('"["')]));
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
  // All of them together. Which ones it is, is looked up only where that takes too much, half by half.
  const costlyAmong = async (units: readonly string[]): Promise<string[]> => {
    const bytes = length * units.length;
    const [once, twice] = [await measure(units, length), await measure(units, 2 * length)];
    if (once / bytes < FACTOR_MAX * prose && (twice - 2 * once) / bytes < MORE_MAX * prose) return [];
    const steps = `${once} steps, and ${twice} for twice the length; prose ${prose * bytes}`;
    if (units.length === 1) return [`${JSON.stringify(units[0])}: ${steps}`];
    const middle = units.length >> 1;
    const found = [...(await costlyAmong(units.slice(0, middle))), ...(await costlyAmong(units.slice(middle)))];
    return found.length > 0 ? found : [`${units.length} units together: ${steps}`];
  };
  return costlyAmong(ADVERSARIAL_UNITS);
}
