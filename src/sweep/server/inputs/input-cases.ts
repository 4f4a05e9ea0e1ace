import { type Arbitrary, sample } from 'fast-check';
import { McpRecordError } from '../../../kernel/errors.ts';
import type { GridPoint } from '../../grid-text.ts';
import { INPUT_KINDS, type InputKind } from './input-kinds.ts';
import { type Arguments, distinct, sizeOf } from './serialize-arguments.ts';
import { type ToolInputs, toolInputs } from './tool-argument-model.ts';
import type { ListedTool } from './tools-listed-in-cassette.ts';

/** Arguments of one call. */
export interface Input {
  args: Arguments;
  /** Position among the values that the seed draws. Absent: the arguments are tried with every seed. */
  run?: number;
}

/** A run of a sweep of inputs: one kind of arguments for one tool. */
export interface InputCase extends GridPoint {
  kind: InputKind;
  tool: ListedTool;
  /** The arguments, the smallest first, and then those that the seed draws, also the smallest first. */
  inputs: readonly Input[];
  /** The smallest arguments found that the schema allows. */
  smallest: Arguments;
  seed: number;
  /** Draws further arguments. Absent: all arguments of the kind are tried with every seed. */
  drawn?: Arbitrary<Arguments>;
  /** Reports whether arguments are of the kind. */
  fits(args: Arguments): boolean;
}

export interface InputCasesOptions {
  tools: readonly ListedTool[];
  /** Names of the kinds. */
  kinds: readonly string[];
  seed: number;
  /** Name of the cassette. */
  file: string;
}

export interface InputCases {
  points: InputCase[];
  /** Problems of tools whose inputs cannot be tried: `SWEEP_BAD_SCHEMA`. */
  problems: McpRecordError[];
}

const LISTED_MAX = 150;
const DRAWN_MAX = 20;
/** Number of values that are drawn to find {@link DRAWN_MAX} of the kind. */
const DRAWS = 100;

/** Returns the points of a sweep of inputs: each kind of arguments for each tool, grouped by kind. */
export function inputCases({ tools, kinds, seed, file }: InputCasesOptions): InputCases {
  const problems: McpRecordError[] = [];
  const usable = tools.flatMap((tool): ToolInputs[] => {
    try {
      return [toolInputs(tool, file)];
    } catch (error) {
      if (!(error instanceof McpRecordError)) throw error;
      problems.push(error);
      return [];
    }
  });
  const points = kinds.flatMap((name) => usable.flatMap((inputs) => inputCase(INPUT_KINDS.get(name)!, inputs, seed)));
  return { points, problems };
}

function inputCase(kind: InputKind, inputs: ToolInputs, seed: number): InputCase[] {
  const { tool, allows } = inputs;
  const fits = (args: Arguments) => allows(args ?? {}) !== kind.isForbidden;
  const { listed, drawn } = kind.propose(inputs);
  const always = distinct(listed.filter(fits))
    .map((args): Input => ({ args }))
    .sort(bySize)
    .slice(0, LISTED_MAX);
  const byChance = drawn === undefined ? [] : drawInputs(drawn, seed, fits);
  if (always.length + byChance.length === 0) return [];
  const point: InputCase = {
    name: `${kind.name}@${tool.name}`,
    fault: kind.name,
    message: tool.position,
    line: tool.line,
    title: `tools/call ${JSON.stringify(tool.name)}`,
    kind,
    tool,
    inputs: [...always, ...byChance],
    smallest: inputs.smallest,
    seed,
    ...(drawn && { drawn }),
    fits,
  };
  return [point];
}

function bySize(one: Input, other: Input): number {
  return sizeOf(one.args) - sizeOf(other.args);
}

/** Draws arguments with a seed, and keeps the first ones of the kind, the smallest of them first. */
function drawInputs(drawn: Arbitrary<Arguments>, seed: number, fits: (args: Arguments) => boolean): Input[] {
  const values = sample(drawn, { seed, numRuns: DRAWS });
  const fitting = new Set(distinct(values.filter(fits)).slice(0, DRAWN_MAX));
  return values.flatMap((args, run): Input[] => (fitting.delete(args) ? [{ args, run }] : [])).sort(bySize);
}
