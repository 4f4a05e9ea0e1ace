import type { TriggeredSteps } from '../plan/steps-by-trigger.ts';
import type { TokenBindings } from '../tokens/token-cursor-rewriter.ts';

/** A started sequence, for one live request. */
export interface ActiveSequence {
  readonly sequence: TriggeredSteps;
  readonly bindings: TokenBindings;
  /** Position of the next step. */
  next: number;
  /** Number of the step's dependencies known to have happened. */
  met: number;
  /** Set when the live peer cancelled: steps before the `recorded` cancellation are skipped; without one, all. */
  cancelled?: { recorded: number | undefined };
  /** Called once, when all steps are sent or skipped. */
  ended: (() => void) | undefined;
  /** Whether a step is being sent or delayed. */
  held: boolean;
  /** Position of the step whose recorded delay has passed. */
  due: number;
}
