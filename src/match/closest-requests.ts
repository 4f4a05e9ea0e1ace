import { type Ignore, without } from './ignore-rules.ts';
import { type Difference, differences } from './json-difference.ts';
import type { Identity } from './request-identity.ts';

/** Recorded request that nearly matches a live one. */
export interface CloseRequest<T> {
  candidate: T;
  differences: Difference[];
}

/** Maximum number of candidates to compare, so that a miss on a very long cassette is answered at once. */
const COMPARED_MAX = 2_000;

/**
 * Returns the `count` candidates nearest to `live`, of the same method. Candidates with the same subject come first,
 * then those with the fewest differences.
 */
export function closestRequests<T extends { identity: Identity; ignore?: readonly Ignore[] }>(
  live: Identity,
  candidates: readonly T[],
  count = 3,
): CloseRequest<T>[] {
  return candidates
    .filter(({ identity }) => identity.method === live.method)
    .slice(0, COMPARED_MAX)
    .map((candidate) => ({
      candidate,
      differences: differences(
        { params: candidate.identity.params },
        without({ params: live.params }, candidate.ignore ?? []),
      ),
    }))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}

const SUBJECT = /^\/params\/(?:name|uri|taskId)$/;
const OTHER_SUBJECT = 1_000;

/** Of requests with equally many differences, one with another value is closer than one without the member. */
const ABSENT = 0.5;

/** Answers that a retried call adds. With them, a call is another step, so one without them is less close. */
const INPUT = '/params/inputResponses';

function distance({ differences }: CloseRequest<unknown>): number {
  const isAbsent = differences.some(({ recorded, live }) => recorded === undefined || live === undefined);
  const isOther = differences.some(({ path }) => SUBJECT.test(path));
  const isOtherStep = differences.some(
    ({ path, recorded, live }) => path === INPUT && (recorded === undefined || live === undefined),
  );
  return differences.length + (isAbsent ? ABSENT : 0) + (isOtherStep ? 1 : 0) + (isOther ? OTHER_SUBJECT : 0);
}
