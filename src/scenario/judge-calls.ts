import type { Milliseconds } from '../kernel/clock.ts';
import type { CallOutcome } from './call-outcomes-to-judge.ts';
import type { CallExpectation, Fate } from './scenario.ts';

/** Problem of an expectation. Undefined: the expectation holds. */
export type Wrong = string | undefined;

/** Calls of a run. */
export interface JudgedCalls {
  live: readonly CallOutcome[];
  /** Calls of the cassette whose server was played. */
  recorded?: { file: string; calls: readonly CallOutcome[] } | undefined;
  hasFaults: boolean;
}

/** What calls do that end in each way. */
export const ENDS_IN_WORDS: Readonly<Record<Fate | 'never', string>> = {
  succeeds: 'succeeds',
  fails: 'fails',
  cancelled: 'is cancelled',
  unanswered: 'is never answered',
  never: 'is never called',
};

/** Returns what is wrong with the calls that an expectation is about. */
export function wrongWithCalls(one: CallExpectation, judged: JudgedCalls): Wrong {
  const { call, name, nth, ends } = one;
  const such = judged.live.filter(({ method, name: own }) => method === call && (name === undefined || own === name));
  const meant = nth === undefined ? such : such.slice(nth - 1, nth);
  if (ends === 'never') return meant.length === 0 ? undefined : `it was called ${times(such.length)}`;
  if (such.length === 0) return 'this call was never made';
  if (meant.length === 0) return `it was called ${times(such.length)}`;
  for (const call of meant) {
    const { fate, error, took } = call;
    const said = error ? ` (${error.code}: ${String(error.message).split('\n', 1)[0]})` : '';
    if (fate !== ends) return `it ${ENDS_IN_WORDS[fate]}${said}${asRecorded(call, ends, judged)}`;
    if (one.code !== undefined && error?.code !== one.code) return `it fails${said || ' with a result, and no code'}`;
    const late = tooLong(one, took ?? 0);
    if (late) return late;
  }
  return undefined;
}

/**
 * Returns advice if a call ended otherwise than expected because the cassette has this answer: no client can change it.
 * A success may also mean that a fault missed the call.
 */
function asRecorded(call: CallOutcome, ends: Fate, { recorded, hasFaults }: JudgedCalls): string {
  const { method, name, fate, answer } = call;
  const isOfCassette = ends === 'succeeds' ? fate === 'fails' : ends === 'fails' && fate === 'succeeds' && !hasFaults;
  if (recorded === undefined || answer === undefined || !isOfCassette) return '';
  const live = JSON.stringify(answer.value);
  const same = recorded.calls.find(
    (one) => one.method === method && one.name === name && JSON.stringify(one.answer?.value) === live,
  );
  if (same === undefined) return '';
  return `: the recording answers it that way (${recorded.file}:${same.answer?.line}). Expect "ends: ${fate}"`;
}

/** Returns what is wrong with a time. */
export function tooLong({ within }: { within?: Milliseconds }, took: Milliseconds): Wrong {
  return within !== undefined && took > within ? `it took ${Math.ceil(took)} ms` : undefined;
}

/** Returns a number of times in words. */
export function times(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${count} times`;
}
