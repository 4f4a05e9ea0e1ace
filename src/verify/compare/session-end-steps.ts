import type { Move } from '../../cassette/correlate/session-entries.ts';
import { titleOf } from '../../contract/message-title.ts';
import type { Step } from '../../text-report/outcome.ts';
import type { Driven } from '../run/run-recorded-client.ts';

/** Why the session ended before the tape did; undefined: it did not, or the taped server ended so, too. */
export function brokenBy(driven: Driven): string | undefined {
  const { died, stopped, score } = driven;
  if (died && tapedDeath(score.moves) === undefined) return `crashed: the server ${howItEnded(driven)}`;
  return stopped;
}

/** The server ended by itself: its end stands on the tape before the client's. */
function tapedDeath(moves: readonly Move[]): Move | undefined {
  const end = moves.find(
    ({ frame: { kind, stream } }) => stream === undefined && ['close', 'signal', 'exit'].includes(kind),
  );
  return end?.from === 'server' ? end : undefined;
}

function howItEnded({ exit, killed }: Driven): string {
  if (exit === undefined || killed) return 'closed its output';
  return typeof exit.status === 'number' ? `exited with ${exit.status}` : `was ended by ${exit.status}`;
}

/**
 * What was asked and not answered. Where the session broke off, that is told once, with what the server last said on
 * standard error; what came after it could not be checked.
 */
export function unansweredSteps(unanswered: readonly Move[], driven: Driven): Step[] {
  const broken = brokenBy(driven);
  const steps = unanswered.map(
    ({ message, line }): Step => ({ title: titleOf(message), line, status: 'skipped' }),
  );
  if (broken === undefined) {
    return steps.map((step) => ({ ...step, status: 'failed', headline: 'hung: no answer came in time' }));
  }
  const [first, ...rest] = steps;
  const details = lastWords(driven);
  return [
    first === undefined
      ? { title: 'the session', status: 'failed', headline: broken, details }
      : { ...first, status: 'failed', headline: `${broken} before it answered`, details },
    ...rest.map((step) => ({ ...step, headline: 'the session had broken off' })),
  ];
}

const LAST_WORDS_MAX = 8;

function lastWords({ noise }: Driven): string[] {
  const lines = noise.flatMap(({ on, data }) => (on === 'stderr' && typeof data === 'string' ? [data] : []));
  return lines.slice(-LAST_WORDS_MAX).map((line) => `stderr: ${line}`);
}

/** How the server ended, where the tape says that, and nobody had to end it. */
export function endingSteps(driven: Driven): Step[] {
  const { exit, died, killed, score, stopped, isProcess } = driven;
  if (!isProcess || stopped !== undefined || brokenBy(driven) !== undefined) return [];
  const death = tapedDeath(score.moves);
  if (death !== undefined && !died) {
    const headline = 'lives on, where it ended by itself on tape';
    return [{ title: 'the server', line: death.line, status: 'failed', headline }];
  }
  const taped = score.moves.find(({ frame }) => frame.kind === 'exit');
  const wasKilled = score.moves.some(({ frame }) => frame.kind === 'signal');
  if (taped?.frame.kind !== 'exit' || exit === undefined || killed || wasKilled) return [];
  const [before, after] = [taped.frame.status, exit.status];
  if (before === after) return [];
  const headline = `ended with ${after}; on tape with ${before}`;
  return [{ title: 'the server', line: taped.line, status: 'failed', headline, details: lastWords(driven) }];
}

/** Lines of standard output, or events of a stream, that are no messages: clients may choke on them. A tape that has some allows them. */
export function junkSteps({ noise, score, isProcess }: Driven): Step[] {
  const isJunk = ({ kind, on }: { kind: string; on?: string }) => kind === 'noise' && on === 'protocol';
  const junk = noise.filter(isJunk);
  const [first] = junk;
  if (first === undefined || score.moves.some(({ frame, from }) => from === 'server' && isJunk(frame)))
    return [];
  const line = typeof first.data === 'string' ? JSON.stringify(first.data.slice(0, SHOWN_LENGTH)) : 'bytes';
  const [title, things] = isProcess ? ['standard output', 'lines'] : ['event streams', 'events'];
  const headline = `${junk.length} ${things} that are no messages, the first of them ${line}`;
  return [{ title, status: 'failed', headline }];
}

const SHOWN_LENGTH = 60;
