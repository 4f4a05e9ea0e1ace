import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { isMadeUp } from '../../replay/prepare/add-missing-handshake.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';

/** Headline of steps skipped because the session ended early. */
export const BROKEN_OFF = 'the session had broken off';

/** Headline of steps skipped because the session was aborted from outside. */
export const INTERRUPTED = 'not reached: interrupted';

/** Returns the reason why the session ended before the cassette's end, or `undefined` if it did not or the recorded server ended alike. */
export function brokenBy(driven: ServerRun): string | undefined {
  const { died, stopped, plan } = driven;
  if (died && recordedDeath(plan.entries) === undefined) return `crashed: the server ${howItEnded(driven)}`;
  return stopped;
}

/** Reports whether the server ended by mistake before it answered anything, so that nothing was compared. */
export function endedUnanswered(driven: ServerRun): boolean {
  const { died, exchanges, sentRequests, plan } = driven;
  if (!died || exchanges.length > 0 || brokenBy(driven) === undefined) return false;
  // A handshake that the cassette lacks is no exchange. The next request is sent when the server has answered it.
  const handshake = [...sentRequests].filter((index) => isMadeUp(plan.entries[index]!));
  return handshake.length === 0 || handshake.length === sentRequests.size;
}

/** Returns the recorded end of a server that ended before its client, if any. */
export function recordedDeath(entries: readonly SessionEntry[]): SessionEntry | undefined {
  const end = entries.find(
    ({ frame: { kind, stream } }) => stream === undefined && ['close', 'signal', 'exit'].includes(kind),
  );
  return end?.from === 'server' ? end : undefined;
}

function howItEnded({ exit, killed }: ServerRun): string {
  if (exit === undefined || killed) return 'closed its output';
  return typeof exit.status === 'number' ? `exited with ${exit.status}` : `was ended by ${exit.status}`;
}

/**
 * Returns steps for unanswered requests. After an early end, only the first step fails, with the server's last lines on
 * standard error. The others could not be checked and are skipped.
 */
export function unansweredSteps(unanswered: readonly SessionEntry[], driven: ServerRun): Step[] {
  const broken = brokenBy(driven);
  const steps = unanswered.map(
    ({ message, line }): Step => ({ title: messageTitle(message), line, status: 'skipped' }),
  );
  if (driven.isAborted) return steps.map((step) => ({ ...step, headline: INTERRUPTED }));
  if (broken === undefined) {
    return steps.map((step) => ({ ...step, status: 'failed', headline: 'hung: no answer came in time' }));
  }
  const [first, ...rest] = steps;
  const details = lastWords(driven);
  return [
    first === undefined
      ? { title: 'the session', status: 'failed', headline: broken, details }
      : { ...first, status: 'failed', headline: `${broken} before it answered`, details },
    ...rest.map((step) => ({ ...step, headline: BROKEN_OFF })),
  ];
}

function lastWords({ noise }: ServerRun): string[] {
  const lines = noise.flatMap(({ on, data }) => (on === 'stderr' && typeof data === 'string' ? [data] : []));
  return lines.length === 0 ? [] : lastLines(lines.join('\n')).map((line) => `stderr: ${line}`);
}

/** Returns steps for the server's exit, if the cassette records one and the server ended by itself. */
export function checkSessionEnd(driven: ServerRun): Step[] {
  const { exit, died, killed, plan, stopped, isProcess } = driven;
  if (!isProcess || stopped !== undefined || brokenBy(driven) !== undefined) return [];
  const death = recordedDeath(plan.entries);
  if (death !== undefined && !died) {
    const headline = 'is still running, but ended by itself in the cassette';
    return [{ title: 'the server', line: death.line, status: 'failed', headline }];
  }
  const recorded = plan.entries.find(({ frame }) => frame.kind === 'exit');
  const wasKilled = plan.entries.some(({ frame }) => frame.kind === 'signal');
  if (recorded?.frame.kind !== 'exit' || exit === undefined || killed || wasKilled) return [];
  const [before, after] = [recorded.frame.status, exit.status];
  if (before === after) return [];
  const headline = `ended with ${after}; in the cassette with ${before}`;
  return [{ title: 'the server', line: recorded.line, status: 'failed', headline, details: lastWords(driven) }];
}

/**
 * Returns a failed step for standard output lines, or stream events, that are not messages: clients may fail on them.
 * Allowed if the cassette contains some.
 */
export function junkSteps({ noise, plan, isProcess }: ServerRun): Step[] {
  const isJunk = ({ kind, on }: { kind: string; on?: string }) => kind === 'line' && on === 'protocol';
  const junk = noise.filter(isJunk);
  const [first] = junk;
  if (first === undefined || plan.entries.some(({ frame, from }) => from === 'server' && isJunk(frame))) return [];
  const line = typeof first.data === 'string' ? JSON.stringify(first.data.slice(0, SHOWN_LENGTH)) : 'bytes';
  const [title, things] = isProcess ? ['standard output', 'lines'] : ['event streams', 'events'];
  const headline = `${junk.length} ${things} that are no messages, the first of them ${line}`;
  return [{ title, status: 'failed', headline }];
}

const SHOWN_LENGTH = 60;
