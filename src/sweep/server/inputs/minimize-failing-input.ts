import type { Input, InputCase } from './input-cases.ts';
import { CAUSED_BY_INPUT, type InputVerdict } from './input-verdict-kinds.ts';
import type { InputJudgement } from './judge-inputs.ts';
import { type Arguments, sizeOf } from './serialize-arguments.ts';
import { shrinkInput } from './shrink-with-fast-check.ts';

/** A judgement, with the last part of the server's standard error. */
export interface Judged extends InputJudgement {
  stderrTail: string;
}

export interface FindInputOptions {
  point: InputCase;
  /** The call that seems to have led to the verdict. Absent: unknown. */
  suspect: Input | undefined;
  /** Runs a session with these calls only, and judges the server. */
  judge(inputs: readonly Input[]): Promise<Judged>;
  /** Reports whether a single call leads to the verdict. */
  fails(verdict: InputVerdict, args: Arguments): Promise<boolean>;
}

export interface FoundInput {
  judgement: Judged;
  /** Smallest set of calls that leads to the verdict. */
  inputs: readonly Input[];
}

/**
 * Judges the server by the suspect, or else by all calls again, and returns the fewest and smallest calls found that
 * lead to a bad verdict.
 */
export async function findInput(options: FindInputOptions): Promise<FoundInput> {
  const { point, judge, suspect } = options;
  const alone = suspect && (await firstBad(judge, [[suspect]]));
  const found = alone ?? (await narrow(options, point.inputs));
  const [only] = found.inputs;
  if (!CAUSED_BY_INPUT.has(found.judgement.verdict) || found.inputs.length !== 1 || only === undefined) return found;
  const drawn = only.run === undefined ? await drawnLike(options, found) : only;
  if (drawn?.run === undefined) return found;
  const { args, run } = drawn;
  const shrunk = await shrinkInput(point, { args, run }, (smaller) => options.fails(found.judgement.verdict, smaller));
  if (sizeOf(shrunk) >= sizeOf(only.args)) return found;
  const inputs = [{ args: shrunk, run }];
  const judgement = await options.judge(inputs);
  return judgement.verdict === found.judgement.verdict ? { judgement, inputs } : found;
}

/** Returns a drawn call with the same verdict as a listed call. Only drawn calls can be shrunk. */
async function drawnLike(options: FindInputOptions, { judgement }: FoundInput): Promise<Input | undefined> {
  const drawn = options.point.inputs.filter(({ run }) => run !== undefined);
  if (drawn.length === 0) return undefined;
  const found = await narrow(options, drawn);
  return found.judgement.verdict === judgement.verdict && found.inputs.length === 1 ? found.inputs[0] : undefined;
}

/** Returns the smallest set of calls found that leads to a bad verdict. Returns all calls if even they do not. */
async function narrow({ judge }: FindInputOptions, all: readonly Input[]): Promise<FoundInput> {
  let found: FoundInput = { judgement: await judge(all), inputs: all };
  while (CAUSED_BY_INPUT.has(found.judgement.verdict) && found.inputs.length > 1) {
    const { judgement, inputs } = found;
    const half = Math.ceil(inputs.length / 2);
    const culprit = inputs[judgement.input ?? -1];
    const parts = [...(culprit ? [[culprit]] : []), inputs.slice(0, half), inputs.slice(half)];
    const smaller = await firstBad(judge, parts);
    if (smaller === undefined) return found;
    found = smaller;
  }
  return found;
}

async function firstBad(judge: FindInputOptions['judge'], parts: readonly Input[][]): Promise<FoundInput | undefined> {
  for (const inputs of parts) {
    const judgement = await judge(inputs);
    if (CAUSED_BY_INPUT.has(judgement.verdict)) return { judgement, inputs };
  }
  return undefined;
}
