import type { Cassette } from '../../cassette/cassette.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { type InputCase, inputCases } from '../../sweep/server/inputs/input-cases.ts';
import { INPUT_KINDS } from '../../sweep/server/inputs/input-kinds.ts';
import { INPUT_VERDICTS } from '../../sweep/server/inputs/input-verdict-kinds.ts';
import { type InputResult, sweepInputs } from '../../sweep/server/inputs/sweep-inputs.ts';
import { type ListedTool, listedTools } from '../../sweep/server/inputs/tools-listed-in-cassette.ts';
import { say } from '../io/output.ts';
import { seedFrom } from '../options/seed-option.ts';
import { againCommand } from './again-command.ts';
import { reportedServerSweep } from './reported-server-sweep.ts';
import { faultNames, faultsButThese, noPoints, type SweepCommandOptions, selectPoints } from './sweep-options.ts';
import type { LeftOut } from './sweep-report.ts';
import { faultWithoutPoint } from './swept-faults.ts';

export interface InputSweepCommand {
  cassette: Cassette;
  /** The command of the server, or its URL. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/** Equal seeds try equal arguments. Runs without `--seed` have to be equal, too. */
const SEED = 1;

/**
 * `mcp-record sweep --server --inputs FILE -- COMMAND…`: calls the tools that the cassette lists with arguments that
 * their schemas forbid, and with edge values that they allow.
 */
export async function runInputSweep({ cassette, words, options }: InputSweepCommand): Promise<number> {
  const { file } = cassette;
  const seed = seedFrom(options.seed) ?? SEED;
  const all = [...INPUT_KINDS.keys()];
  const kinds = options.faults === undefined ? all : faultNames(options.faults, all, 'docs/sweep-server-reference.md');
  const tools = listedTools(cassette);
  if (tools.length === 0) {
    const next = 'Record a session whose client sends tools/list: mcp-record record -o FILE -- COMMAND.';
    throw noPoints({ file, shard: undefined, why: 'it has no tools/list result with a tool', next });
  }
  const called = tools.filter(({ isDestructive }) => options.destructive || !isDestructive);
  const uncalled = tools.filter((tool) => !called.includes(tool));
  if (called.length === 0) {
    const why = 'none of its tools has readOnlyHint: true or destructiveHint: false, so each may remove something';
    const next = 'Add --destructive to call them, on a server that may lose its data.';
    throw noPoints({ file, shard: undefined, why, next });
  }
  const { points: found, problems } = inputCases({ tools: called, kinds, seed, file });
  const [problem] = problems;
  if (problem && problems.length === called.length) throw problem;
  for (const { message } of problems) say(message);
  const isByDefault = options.faults === undefined || faultsButThese(options.faults, all) !== undefined;
  const vain = isByDefault ? undefined : faultWithoutPoint(kinds, found);
  if (vain !== undefined) {
    const why = `the schemas of its tools have no arguments of the kind ${vain}`;
    throw noPoints({ file, shard: undefined, why, next: 'Name other --faults, or leave them out, for all kinds.' });
  }
  const points = selectPoints(found, options);
  if (points.length === 0) {
    const why = 'the schemas of its tools have no arguments of these kinds';
    throw noPoints({ file, shard: options.shard, why, next: 'Leave --faults out, for all kinds.' });
  }
  return await reportedServerSweep({
    cassette,
    words,
    options,
    points,
    size: sizeText(points),
    verdicts: INPUT_VERDICTS,
    leftOut: uncalled.map(leftOut),
    forJson,
    again: ({ name }) => againCommand({ file, point: name, seed, words, options }),
    sweep: sweepInputs,
  });
}

/** Formats how much a sweep of inputs has: `6 points: 3 kinds of arguments for 2 tools, 48 calls`. */
function sizeText(points: readonly InputCase[]): string {
  const kinds = formatCount(new Set(points.map(({ fault }) => fault)).size, 'kind');
  const tools = formatCount(new Set(points.map(({ tool }) => tool)).size, 'tool');
  const calls = points.reduce((sum, { inputs }) => sum + inputs.length, 0);
  return `${formatCount(points.length, 'point')}: ${kinds} of arguments for ${tools}, ${formatCount(calls, 'call')}`;
}

function leftOut({ name, line }: ListedTool): LeftOut {
  return {
    title: `tools/call ${JSON.stringify(name)}`,
    line,
    why: 'it may change or remove something: --destructive calls it too',
  };
}

function forJson({ point, cause: _cause, ...result }: InputResult): object {
  const { kind, tool, inputs, smallest: _, drawn: __, fits: ___, ...shown } = point;
  return { point: { ...shown, tool: tool.name, does: kind.doc, calls: inputs.length }, ...result };
}
