import { lacksJsonRpcVersion } from '../../cassette/correlate/add-json-rpc-version.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { errorOf, isNotification, isRequest, resultOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { RecordedWithoutAnswer } from '../../replay/match/report-never-answered-request.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import type { Answer } from './gather-answers.ts';
import { recordedDeath } from './session-end-steps.ts';

/**
 * Returns failed steps for requests whose answer is missing in the cassette, or has a wrong id, by mistake. Nothing was
 * compared for them. Silence of a recorded server is no mistake, unless a response with another id follows and the live
 * server answers.
 */
export function unrecordedAnswerSteps({ plan, exchanges, isHandWritten }: ServerRun, file: string): Step[] {
  const entries = withoutAddedClose(plan.entries);
  const unanswered = new RecordedWithoutAnswer({ plan: { ...plan, entries }, file, isHandWritten });
  const answered = new Set(exchanges.map(({ request }) => request.index));
  return entries.filter(isAsked).flatMap((entry): Step[] => {
    const { error, next, stray } = unanswered.check(entry) ?? {};
    const step = { title: titleOf(entry), line: entry.line, status: 'failed' as const };
    if (error) {
      const headline = 'not compared: it has no answer in the cassette';
      return [{ ...step, headline, ...(next !== undefined && { details: [next] }) }];
    }
    if (!stray || !answered.has(entry.index)) return [];
    return [{ ...step, headline: `was answered; in the cassette the answer at line ${stray.line} has another id` }];
  });
}

/** Removes the close that the plan adds to a cassette without one. It shares the event of the previous entry. */
function withoutAddedClose(entries: readonly SessionEntry[]): SessionEntry[] {
  const [before, last] = entries.slice(-2);
  return last?.frame.kind === 'close' && before?.event === last.event ? entries.slice(0, -1) : [...entries];
}

function titleOf({ message }: SessionEntry): string {
  return isNotification(message) ? subjectOf(message.method, message.params) : messageTitle(message);
}

/** Reports whether the entry is a client request, including one pasted without an id. */
function isAsked(entry: SessionEntry): boolean {
  const { from, message } = entry;
  if (from !== 'client') return false;
  if (isRequest(message)) return true;
  return isNotification(message) && lacksJsonRpcVersion(entry) && !message.method.startsWith('notifications/');
}

/** Returns a failed step if the ignore rules leave nothing of any answer: whatever the server says would pass. */
export function hollowAnswerSteps(answers: readonly Answer[]): Step[] {
  const compared = answers.filter(({ exchanges }) => isFilled(exchanges[0]?.recorded?.json?.value));
  if (compared.length === 0 || compared.some(({ recorded }) => isFilled(recorded))) return [];
  const headline = 'nothing is compared: the ignore rules leave nothing of any answer';
  const details = ['Name the values that differ in each run, such as /result/generatedAt, and not the whole result.'];
  return [{ title: 'the answers', status: 'failed', headline, details }];
}

function isFilled(message: unknown): boolean {
  return Object.keys(resultOf(message)).length > 0 || errorOf(message) !== undefined;
}

/** Returns a failed step if nothing was compared. Otherwise such an outcome would pass. */
export function nothingVerified(steps: readonly Step[], { isProcess, plan }: ServerRun): Step[] {
  if (steps.some(({ status }) => status !== 'skipped')) return [];
  if (isProcess && recordedDeath(plan.entries)) return [];
  const headline = 'nothing was verified: the cassette has no server message to compare';
  const next =
    'Write what the server answers after each request, or record a session: mcp-record record -o FILE -- COMMAND.';
  return [{ title: 'the cassette', status: 'failed', headline, details: [next] }];
}
