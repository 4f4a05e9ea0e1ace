import type { ShownProblem } from '../../data/live-page-protocol.ts';
import { Text } from '../text-and-badges.tsx';

/** An error with its code and the next step. */
export function Problem({ problem: { code, message, next } }: { problem: ShownProblem }) {
  return (
    <p class="is-damaged" role="alert">
      <Text of={message} /> [{code}] <Text of={next} />
    </p>
  );
}
