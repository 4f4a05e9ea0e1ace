import { isJunk, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { LineFrame } from '../../channel/frame.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { maySendBatches } from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import { isMadeUp } from '../../replay/prepare/add-missing-handshake.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { unsentReason } from '../run/server-run-result.ts';

/** Headline of steps skipped because the session ended early. */
export const BROKEN_OFF = 'the session had broken off';

/** Headline of steps skipped because the session was aborted from outside. */
export const INTERRUPTED = 'not reached: interrupted';

/**
 * Returns the reason why the session ended before the cassette. Undefined if the session was complete, or if the
 * recorded server ended in the same way.
 */
export function brokenBy(driven: ServerRun): string | undefined {
  const { died, stopped, plan } = driven;
  if (died && recordedDeath(plan.entries) === undefined) return `crashed: the server ${howItEnded(driven)}`;
  return stopped;
}

/** Reports whether the server ended by mistake before any answer, so that nothing was compared. */
export function endedUnanswered(driven: ServerRun): boolean {
  const { died, exchanges, sentRequests, plan } = driven;
  if (!died || exchanges.length > 0 || brokenBy(driven) === undefined) return false;
  // A handshake that the cassette lacks is not an exchange. The client sends its next request only after the handshake.
  const handshake = [...sentRequests.keys()].filter((index) => isMadeUp(plan.entries[index]!));
  return handshake.length === 0 || handshake.length === sentRequests.size;
}

/** Returns the recorded end of a server that ended before its client. Undefined if the client ended first. */
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
    return steps.map((step, index) =>
      hasOptionalAnswer(unanswered[index]!, driven)
        ? { ...step, headline: OPTIONAL }
        : { ...step, status: 'failed', headline: unsentReason(unanswered[index]!, driven) ?? HUNG },
    );
  }
  const [first, ...rest] = steps;
  const details = [...lastWords(driven), ...adviceOnSilence(driven)];
  return [
    first === undefined
      ? { title: 'the session', status: 'failed', headline: broken, details }
      : { ...first, status: 'failed', headline: `${broken} before it answered`, details },
    ...rest.map((step) => ({ ...step, headline: BROKEN_OFF })),
  ];
}

const HUNG = 'hung: no answer came in time';

/** Headline of a step that is skipped, since the cassette calls the recorded answer optional. */
export const OPTIONAL = 'is not compared: the answer in the cassette is optional';

/** Reports whether the recorded answer to a request is optional. */
export function hasOptionalAnswer({ index }: SessionEntry, { plan: { entries, links } }: ServerRun): boolean {
  return entries[links.answerOf.get(index) ?? -1]?.match?.optional === true;
}

/** Returns advice on a process without any standard output, which may not speak MCP over stdio. */
function adviceOnSilence({ isProcess, died, exchanges, notifications, noise }: ServerRun): string[] {
  const isSilent = exchanges.length + notifications.length === 0 && noise.every(({ on }) => on === 'stderr');
  if (!isProcess || died || !isSilent) return [];
  return [
    'It wrote nothing to its standard output. If it listens on a port, start it, and verify its URL in place of a command.',
  ];
}

function lastWords({ noise }: ServerRun): string[] {
  const lines = noise.flatMap(({ on, data }) => (on === 'stderr' && typeof data === 'string' ? [data] : []));
  return lines.length === 0 ? [] : lastLines(lines.join('\n')).map((line) => `stderr: ${line}`);
}

/** Returns steps for the server's exit, if the cassette records one and the server ended by itself. */
export function sessionLevelSteps(driven: ServerRun): Step[] {
  const { exit, died, killed, plan, stopped, isProcess } = driven;
  if (!isProcess || stopped !== undefined || brokenBy(driven) !== undefined) return [];
  const death = recordedDeath(plan.entries);
  if (death !== undefined && !died) {
    const headline = 'is still running, but ended by itself in the cassette';
    return [{ title: 'the server', line: death.line, status: 'failed', headline }];
  }
  const recorded = plan.entries.find(({ frame }) => frame.kind === 'exit');
  if (exit === undefined) return [];
  if (recorded?.frame.kind !== 'exit') return unrecordedEnd(driven, exit.status);
  const [before, after] = [recorded.frame.status, exit.status];
  const signals = plan.entries.flatMap(({ frame, from }) =>
    frame.kind === 'signal' && from === 'client' ? frame.signal : [],
  );
  const failed = (headline: string): Step[] => [
    { title: 'the server', line: recorded.line, status: 'failed', headline, details: lastWords(driven) },
  ];
  if (killed) {
    const needed = after === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM';
    if (signals.includes(needed) || (signals.length > 0 && needed === 'SIGTERM')) return [];
    return failed(
      `did not end after its input had ended, and needed ${needed}; in the cassette it ended with ${before}`,
    );
  }
  if (before === after) return [];
  // After a client's signal, exit status 0 is as good as an end by the signal. Other statuses are failures.
  if (signals.length > 0 && after === 0) return [];
  return failed(`ended with ${after}; in the cassette with ${before}`);
}

/** Returns a failed step for a server that ended with an error, if the cassette does not record an end. */
function unrecordedEnd(driven: ServerRun, status: number | string): Step[] {
  if (driven.killed || status === 0 || driven.died) return [];
  const headline = `ended with ${status} after its input had ended; the cassette has no end of the server. If that is right, add it: "exit: ${status}"`;
  return [{ title: 'the server', status: 'failed', headline, details: lastWords(driven) }];
}

/**
 * Returns a failed step for standard output lines, or stream events, that are not messages: clients may fail on them.
 * Allowed if the cassette contains some.
 */
export function junkSteps({ noise, unreadable, plan, isProcess }: ServerRun): Step[] {
  const lines = noise.filter(({ on }) => on === 'protocol').map(({ data }) => ({ data }));
  const json = unreadable.filter(({ why }) => why === 'junk').map(({ text }) => ({ data: text }));
  const [first, ...others] = [...lines, ...json];
  if (first === undefined || plan.entries.some((entry) => entry.from === 'server' && isJunk(entry))) return [];
  const headline = junkWords(first, { count: others.length + 1, isProcess });
  return [{ title: isProcess ? 'standard output' : 'event streams', status: 'failed', headline }];
}

/** Returns a clause with the number of invalid lines or events, which quotes the first one. */
export function junkWords(
  { data }: Pick<LineFrame, 'data'>,
  { count, isProcess }: { count: number; isProcess: boolean },
): string {
  const line = typeof data === 'string' ? JSON.stringify(data.slice(0, SHOWN_LENGTH)) : 'bytes';
  const what = isProcess ? 'line' : 'event';
  if (count === 1) return `1 ${what} that is no message: ${line}`;
  return `${count} ${what}s that are no messages, the first of them ${line}`;
}

/** Returns failed steps for messages that clients do not read. */
export function unreadableSteps({ unreadable, plan }: ServerRun): Step[] {
  const batches = maySendBatches('server', plan.entries) ? [] : unreadable.filter(({ why }) => why === 'batch');
  const others = unreadable.filter(({ why }) => why === 'version');
  const stepOf = (title: string, all: typeof unreadable): Step[] => {
    const [first] = all;
    if (first === undefined) return [];
    const text = JSON.stringify(first.text.slice(0, SHOWN_LENGTH));
    const headline = `${formatCount(all.length, 'message')} that clients do not read, the first of them ${text}`;
    return [{ title, status: 'failed', headline }];
  };
  return [...stepOf('messages without "jsonrpc": "2.0"', others), ...stepOf('messages in a batch', batches)];
}

const SHOWN_LENGTH = 60;
