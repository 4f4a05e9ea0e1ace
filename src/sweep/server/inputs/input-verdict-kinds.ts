import type { GridVerdicts } from '../../grid-text.ts';
import { BAD_SERVER, SERVER_VERDICTS, type ServerVerdict } from '../judge/server-verdict-kinds.ts';

/** Verdict on a server's reaction to arguments: that of other sweeps of a server, or `accepted`. */
export type InputVerdict =
  | ServerVerdict
  /** It gave a result for arguments that the schema of the tool forbids. */
  | 'accepted';

/** Verdicts that fail a sweep of inputs. */
export const BAD_INPUT: ReadonlySet<InputVerdict> = new Set<InputVerdict>([...BAD_SERVER, 'accepted']);

/** Verdicts that calls of a tool lead to, so that fewer and smaller calls may lead to them. */
export const CAUSED_BY_INPUT: ReadonlySet<InputVerdict> = new Set(
  [...BAD_INPUT].filter((verdict) => verdict !== 'unreached'),
);

/** Presentation of the verdicts on a server in a sweep of inputs. */
export const INPUT_VERDICTS: GridVerdicts<InputVerdict> = {
  letters: { ...SERVER_VERDICTS.letters, accepted: 'A' },
  bad: BAD_INPUT,
  listed: new Set<InputVerdict>(['ignored', 'unreached']),
};
