import type { GridPoint } from '../../grid-text.ts';
import { orderTitle } from '../../orders/order-cases.ts';
import type { OrderedMessage } from '../../orders/ordered-message.ts';

/** Point of a sweep: an order of messages of the recorded client. */
export interface ServerOrderCase extends GridPoint {
  /** The messages that move, in their order. */
  order: readonly OrderedMessage[];
  /** Whether there is more time between them than usual. */
  isUnhurried: boolean;
}

/** Returns the point in which the client sends some messages in another order. */
export function serverOrderCase(order: readonly OrderedMessage[]): ServerOrderCase {
  return { ...orderTitle(order), order, isUnhurried: false };
}
