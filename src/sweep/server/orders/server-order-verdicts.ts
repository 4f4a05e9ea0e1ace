import type { GridVerdicts } from '../../grid-text.ts';
import { SERVER_VERDICTS, type ServerVerdict } from '../judge/server-verdict-kinds.ts';

/**
 * Verdict on a server whose client sends its messages in another order. `depends`: an answer is another one, and the same
 * as when the requests are made in this order one by one. `same`: it failed as with an order of which this one has all
 * swaps. `unsteady`: it failed once, and not in the same way when the order ran again alone. `unreached`: the order did
 * not come about.
 */
export type ServerOrderVerdict = Exclude<ServerVerdict, 'refused' | 'ignored'> | 'depends' | 'same' | 'unsteady';

const { passed, hung, crashed, leaked, corrupted, repeated, stray, unreached } = SERVER_VERDICTS.letters;

/** Presentation of the verdicts on orders. A server that keeps state has other answers in another order. */
export const SERVER_ORDER_VERDICTS: GridVerdicts<ServerOrderVerdict> = {
  letters: {
    passed,
    depends: 'd',
    hung,
    crashed,
    leaked,
    corrupted,
    repeated,
    stray,
    same: 's',
    unsteady: '~',
    unreached,
  },
  bad: new Set<ServerOrderVerdict>(['hung', 'crashed', 'leaked', 'corrupted', 'repeated', 'stray', 'same']),
  neutral: new Set<ServerOrderVerdict>(['depends', 'unreached', 'unsteady']),
  listed: new Set<ServerOrderVerdict>(['depends', 'same', 'unreached', 'unsteady']),
};
