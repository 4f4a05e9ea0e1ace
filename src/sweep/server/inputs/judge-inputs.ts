import { isObject } from '../../../protocol/message.ts';
import type { Baseline } from '../judge/baseline.ts';
import type { Attempt, JudgedPoint } from '../judge/evidence-types.ts';
import { judgeServer } from '../judge/judge-server.ts';
import { BAD_SERVER, type Judgement } from '../judge/server-verdict-kinds.ts';
import type { PlayedSession } from '../play-session.ts';
import type { InputCase } from './input-cases.ts';
import type { InputVerdict } from './input-verdict-kinds.ts';
import { insertedId } from './insert-calls.ts';

/** Evidence for judging a server after calls with one kind of arguments. */
export interface InputEvidence {
  point: Pick<InputCase, 'kind' | 'tool'>;
  baseline: Baseline;
  /** A session without inserted calls. */
  ordinary: PlayedSession;
  /** Session with inserted calls, numbered as if the calls were absent, plus a later session. */
  attempt: Attempt;
  /** Number of inserted calls. */
  count: number;
}

export interface InputJudgement extends Omit<Judgement, 'verdict'> {
  verdict: InputVerdict;
  /** Position of the call that led to the verdict. Absent: no single call is known to have led to the verdict. */
  input?: number;
  /** The server accepted a call of a tool that may change something, so later answers may change for good. */
  mayHaveStored?: true;
}

/** Reaction of the server to one call. */
export type CallOutcome = 'unsent' | 'unanswered' | 'incomplete' | 'no-tool-result' | 'result' | 'tool-error' | 'error';

const HTTP_ERROR_MIN = 400;
const RESPONSE = 'JSON-RPC 2.0, 5 "Response object"';
const VALIDATION = 'Server features, "Tools", "Security Considerations"';
const BESIDE: JudgedPoint = { misbehaviour: { owes: 'anything' } };

/** Judges how a server handles inserted calls and the recorded requests after them. */
export function judgeInputs(evidence: InputEvidence): InputJudgement {
  const { point, attempt, count } = evidence;
  const outcomes = Array.from({ length: count }, (_, position) => callOutcome(attempt.faulty, position));
  const mayHaveStored = !point.tool.isReadOnly && outcomes.includes('result');
  return { ...judgeOutcomes(evidence, outcomes, mayHaveStored), ...(mayHaveStored && { mayHaveStored }) };
}

function judgeOutcomes(
  { point, baseline, attempt, ordinary }: InputEvidence,
  outcomes: readonly CallOutcome[],
  mayHaveStored: boolean,
): InputJudgement {
  const { kind } = point;
  const { faulty } = attempt;
  const first = (wanted: CallOutcome) => {
    const input = outcomes.indexOf(wanted);
    return input < 0 ? undefined : { input };
  };
  const served = judgeServer({ points: [BESIDE], baseline, attempt });
  const unanswered = first('unanswered');
  if (served.verdict === 'crashed' || served.verdict === 'leaked') return { ...served, ...unanswered };
  const incomplete = first('incomplete');
  if (incomplete) {
    const why = 'the call is answered with neither a result nor an error';
    return { verdict: 'corrupted', why, source: RESPONSE, ...incomplete };
  }
  const lines = linesIn(faulty);
  const isForeign = lines.length > linesIn(ordinary).length;
  if (isForeign) {
    const cause = 'it writes a line to its standard output that is no message';
    const why = `${cause}: ${JSON.stringify(lines.at(-1))}`;
    return { verdict: 'stray', why, cause, source: 'Base Protocol, "Transports", "stdio"', ...unanswered };
  }
  if (unanswered) return { verdict: 'hung', why: 'the call is not answered', source: RESPONSE, ...unanswered };
  const accepted = first('result');
  const isChange = served.verdict === 'corrupted' || served.verdict === 'repeated';
  if (BAD_SERVER.has(served.verdict) && !(isChange && mayHaveStored)) return served;
  const shapeless = first('no-tool-result');
  if (shapeless) {
    const why = 'the call is answered with a result that has no content';
    return { verdict: 'corrupted', why, source: 'Server features, "Tools", "Tool Result"', ...shapeless };
  }
  if (kind.isForbidden && accepted) {
    const why = 'the call gets a result, although the inputSchema of the tool forbids its arguments';
    return { verdict: kind.isOftenAccepted ? 'ignored' : 'accepted', why, source: VALIDATION, ...accepted };
  }
  if (outcomes.every((outcome) => outcome === 'unsent')) {
    return { verdict: 'unreached', why: 'the session ended before the calls' };
  }
  if (kind.isForbidden) return { verdict: 'refused' };
  const refused = first('error');
  if (refused === undefined) return { verdict: 'passed' };
  return {
    verdict: 'refused',
    why: 'the call is answered with a JSON-RPC error, although the inputSchema allows its arguments',
    ...refused,
  };
}

/** Returns what the server said to an inserted call. */
export function callOutcome({ seen }: PlayedSession, position: number): CallOutcome {
  const id = insertedId(position);
  if (!seen.requestCounts.has(id)) return 'unsent';
  const refusal = seen.refusals.get(id);
  if (refusal !== undefined) return (refusal.status ?? 0) >= HTTP_ERROR_MIN ? 'error' : 'unanswered';
  const response = seen.responses.find((one) => one.id === id)?.json.value;
  if (response === undefined) return seen.incomplete.has(id) ? 'incomplete' : 'unanswered';
  if (!isObject(response) || 'error' in response) return 'error';
  const { result } = response;
  if (!isObject(result)) return 'no-tool-result';
  if (result.isError === true) return 'tool-error';
  return RESULT_MEMBERS.some((member) => member in result) ? 'result' : 'no-tool-result';
}

/** Members that identify the result of a call: a tool result, a task, or a request for more input. */
const RESULT_MEMBERS = ['content', 'structuredContent', 'toolResult', 'task', 'resultType'];

/** Returns the lines on standard output that are not messages. */
function linesIn({ run }: PlayedSession): string[] {
  if (!run.isProcess) return [];
  return run.noise.flatMap(({ on, data }) => (on === 'protocol' && typeof data === 'string' ? [data] : []));
}
