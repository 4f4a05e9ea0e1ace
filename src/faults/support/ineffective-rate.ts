import type { Milliseconds } from '../../kernel/clock.ts';

/** Time below which a timer makes no difference. */
const SHORTEST: Milliseconds = 1;

/** Returns why a rate slows a message of this length down by nothing. Undefined: it slows it down. */
export function whyFast(length: number, rate: number): string | undefined {
  if (length === 0) return 'there were no bytes to slow down';
  const takes = (1000 * length) / rate;
  return takes < SHORTEST ? `its ${length} bytes take less than ${SHORTEST} ms at this rate` : undefined;
}
