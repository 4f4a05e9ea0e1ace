import type { Milliseconds } from '../kernel/clock.ts';
import { isObject, isRequest } from '../protocol/message.ts';
import { subjectOf } from '../protocol/methods.ts';
import type { Change, Severity, Step } from '../report/outcome.ts';
import { differenceWords } from './difference-words.ts';
import { introductionChanges } from './introduction-change.ts';
import { LISTS, listChanges } from './list-change.ts';
import type { Answer } from './pages.ts';
import { refusedStep } from './refused-step.ts';

/** Whether an answer is the recorded one, and came within `timeMax`. */
export function answerStep(answer: Answer, timeMax: Milliseconds = Number.POSITIVE_INFINITY): Step {
  const { request, recorded, live, duration } = answer;
  const title = titleOf(request.message);
  const step = { title, line: request.line, duration };
  const refused = answer.exchanges.map(refusedStep).find((one) => one !== undefined);
  if (refused) return { ...step, status: 'failed', ...refused };
  if (recorded === undefined) return { ...step, status: 'skipped', headline: 'was not answered on tape' };
  const words = differenceWords(recorded, live);
  if (words !== '') {
    const changes = changesOf(answer);
    const headline = changes.length > 0 ? worstOf(changes) : words;
    return { ...step, status: 'failed', headline, recorded, live, changes };
  }
  const status = statusWords(answer);
  if (status !== undefined) return { ...step, status: 'failed', headline: status };
  if (duration <= timeMax) return { ...step, status: 'passed' };
  const headline = `slow: took ${Math.round(duration)} ms, and ${timeMax} ms are allowed`;
  return { ...step, status: 'failed', headline };
}

/** The same message under another status: clients look at both. */
function statusWords({ exchanges }: Answer): string | undefined {
  for (const { recorded, status: now } of exchanges) {
    const frame = recorded?.frame;
    if (frame?.kind !== 'message' || frame.stream === undefined || now === undefined) continue;
    const { status: before = OK } = frame;
    if (before !== now) return `HTTP status ${before} → ${now}`;
  }
  return undefined;
}

const OK = 200;

/** What a message is called in a report. */
export function titleOf(message: unknown): string {
  return isRequest(message) ? subjectOf(message.method, message.params) : 'message';
}

/** What a server promises is judged by what its callers rely on; of other answers every difference counts the same. */
function changesOf({ request, recorded, live }: Answer): Change[] {
  const [before, after] = [resultOf(recorded), resultOf(live)];
  if (before === undefined || after === undefined || !isRequest(request.message)) return [];
  const { method } = request.message;
  if (method === 'initialize' || method === 'server/discover') return introductionChanges(before, after);
  const list = LISTS.get(method);
  return list ? listChanges(list, before, after) : [];
}

function resultOf(message: unknown): unknown {
  return isObject(message) ? message.result : undefined;
}

const RANK: readonly Severity[] = ['breaking', 'compatible', 'cosmetic'];

function worstOf(changes: readonly Change[]): string {
  const [worst] = [...changes].sort((a, b) => RANK.indexOf(a.severity) - RANK.indexOf(b.severity));
  const more = changes.length > 1 ? ` (and ${changes.length - 1} more)` : '';
  return `${worst!.severity}: ${worst!.reason}${more}`;
}
