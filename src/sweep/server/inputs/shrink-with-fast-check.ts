import { asyncProperty, check } from 'fast-check';
import type { InputCase } from './input-cases.ts';
import { type Arguments, argumentsText } from './serialize-arguments.ts';

/** Maximum number of calls to find smaller arguments. */
const STEPS_MAX = 60;

/**
 * Returns the smallest arguments found with which a server still fails, beginning with drawn ones that are known to
 * fail.
 */
export async function shrinkInput(
  { drawn, seed, fits }: InputCase,
  { args, run }: { args: Arguments; run: number },
  fails: (args: Arguments) => Promise<boolean>,
): Promise<Arguments> {
  if (drawn === undefined) return args;
  let smallest = args;
  const known = new Map([[argumentsText(args), true]]);
  const property = asyncProperty(drawn, async (smaller) => {
    const text = argumentsText(smaller);
    if (!known.has(text)) known.set(text, known.size <= STEPS_MAX && fits(smaller) && (await fails(smaller)));
    const isFailure = known.get(text) === true;
    if (isFailure) smallest = smaller;
    return !isFailure;
  });
  await check(property, { seed, path: String(run), numRuns: 1 });
  return smallest;
}
