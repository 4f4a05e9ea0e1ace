import type { Params } from '../message.ts';

/** Reports whether a result is the usual one of its method, rather than a task or the result of an extension. */
export function isUsual({ resultType = 'complete', task }: Params): boolean {
  return resultType === 'complete' && task === undefined;
}
