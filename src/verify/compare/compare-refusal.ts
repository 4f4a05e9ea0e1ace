import type { Step } from '../../text-report/outcome-model.ts';
import type { Exchange } from '../run/run-recorded-client.ts';
import { httpFailureOf } from './http-failure-advice.ts';

/** Compares an HTTP exchange without an answer on at least one side. Returns `undefined` if both sides have one. */
export function refusedStep({ recorded, refusal }: Exchange): Partial<Step> | undefined {
  const recordedFailure = recorded && httpFailureOf(recorded.frame);
  if (refusal === undefined && recordedFailure === undefined) return undefined;
  if (refusal === undefined)
    return {
      status: 'failed',
      headline: `answered, where the cassette has no answer but ${recordedFailure!.words}`,
    };
  if (recorded === undefined)
    return { status: 'skipped', headline: `was not answered in the cassette, nor now: ${refusal.words}` };
  if (recordedFailure?.code === refusal.code && recordedFailure.status === refusal.status) return { status: 'passed' };
  const instead = recordedFailure === undefined ? 'an answer' : recordedFailure.words;
  return {
    status: 'failed',
    headline: `${refusal.words}, instead of ${instead}`,
    details: [`[${refusal.code}] ${refusal.next}`],
  };
}
