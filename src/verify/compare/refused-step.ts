import type { Step } from '../../text-report/outcome.ts';
import type { Exchange } from '../run/run-recorded-client.ts';
import { refusalOf } from './http-failure.ts';

/** Judges an exchange over HTTP that had no answer, live or on tape. Undefined: both have one, and they are compared. */
export function refusedStep({ recorded, refusal }: Exchange): Partial<Step> | undefined {
  const taped = recorded && refusalOf(recorded.frame);
  if (refusal === undefined && taped === undefined) return undefined;
  if (refusal === undefined)
    return { status: 'failed', headline: `answered, where the tape has no answer but ${taped!.words}` };
  if (recorded === undefined)
    return { status: 'skipped', headline: `was not answered on tape, nor now: ${refusal.words}` };
  if (taped?.code === refusal.code && taped.status === refusal.status) return { status: 'passed' };
  const instead = taped === undefined ? 'an answer' : taped.words;
  return {
    status: 'failed',
    headline: `${refusal.words}, instead of ${instead}`,
    details: [`[${refusal.code}] ${refusal.next}`],
  };
}
