import { McpRecordError } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { INPUT_KINDS } from '../../sweep/server/inputs/input-kinds.ts';
import type { PointRequest } from './find-sweep-point.ts';

const NO_OPTIONS = { ignore: [], ignorePattern: [], header: [] };

/**
 * Returns the point of a scenario: its `point`, or else its only fault, which must have a single message.
 * @throws McpRecordError SCENARIO_BAD
 */
export function pointOfScenario(scenario: Scenario, words: readonly string[]): PointRequest {
  const { cassette: file, play, seed, deadline, transport } = scenario;
  const server = play === 'client';
  const { name, params, patience } = scenario.point ?? pointOfFault(scenario);
  const [fault = ''] = name.split('@', 1);
  const inputs = server && !name.includes('+') && INPUT_KINDS.has(fault);
  const http = transport === 'http';
  return {
    file,
    name,
    params,
    words,
    seed,
    deadline: server ? patience : deadline,
    options: { ...NO_OPTIONS, server, http, inputs, destructive: true },
  };
}

/** Next step for a client that fails by an answer, and without a fault. */
export const CUT_BY_HAND =
  'If the client fails without a fault, cut what it does not need, and run a scenario after each cut: mcp-record cut --drop --lines N.';

/** Derives the point from a scenario with one fault at a single message: `when: { from: server, after: 2 }`. */
function pointOfFault({ file, faults, play }: Scenario): NonNullable<Scenario['point']> {
  const [rule] = faults;
  if (faults.length === 0)
    throw new McpRecordError({
      code: 'SCENARIO_BAD',
      what: `Cannot shrink the scenario ${file}`,
      why: 'it has no fault, and shrink looks for the smallest session in which a fault is bad',
      next: play === 'client' ? `For a wrong answer of a server: mcp-record shrink --server CASSETTE.` : CUT_BY_HAND,
    });
  const why = 'it has no single fault at a single message, as { from: server, after: 2 }';
  const bad = new McpRecordError({
    code: 'SCENARIO_BAD',
    what: `Cannot shrink the scenario ${file}`,
    why,
    next: 'Name the cassette in its place, and the point with --point: mcp-record sweep lists the points.',
  });
  if (faults.length !== 1 || !isObject(rule)) throw bad;
  const { do: fault, when = {}, times: _, probability, ...params } = rule;
  if (!isObject(when) || probability !== undefined) throw bad;
  const { from = 'server', after = 0, ...others } = when;
  if (Object.keys(others).length > 0 || from !== play || typeof after !== 'number') throw bad;
  const name = `${fault}@${after + 1}`;
  return { name, ...(Object.keys(params).length > 0 && { params }) };
}
