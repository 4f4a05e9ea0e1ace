import type { Frame } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { escapeStep, type Pointer } from '../../protocol/json-pointer.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { redactBeforeWriting } from '../writer/redact-before-writing.ts';
import { redactedValues } from './redacted-values.ts';

/** Value that matches a user's rule but stays, because the session cannot be played without this value. */
export interface UnredactableValue {
  /** Line number of the event, from 1. */
  line: number;
  /** Name of the rule, as used in placeholders. */
  kind: string;
  /** Pointer into the message. */
  pointer: Pointer;
}

/** Lists the unredactable values of a frame on `line`. */
export function unredactableIn(frame: Frame, line: number, redactor: Redactor): UnredactableValue[] {
  if (frame.kind !== 'message' && frame.kind !== 'line' && frame.kind !== 'authorization') return [];
  redactBeforeWriting(frame, redactor);
  return redactor
    .unredactable()
    .map(({ name, path }) => ({ line, kind: name, pointer: path.map((step) => `/${escapeStep(step)}`).join('') }));
}

/**
 * Lists the unredactable values of a cassette, in order.
 * @throws McpRecordError as `redactedValues`, and file system errors
 */
export function unredactableValues(file: string, redactor: Redactor): UnredactableValue[] {
  const values: UnredactableValue[] = [];
  redactedValues(file, ({ frame, line }) => values.push(...unredactableIn(frame, line, redactor)));
  return values;
}

/** Returns the warning about the unredactable values of a file. `undefined`: there are none. */
export function unredactableWarning(file: string, values: readonly UnredactableValue[]): McpRecordError | undefined {
  const [first, ...others] = values;
  if (first === undefined) return undefined;
  const { kind, pointer, line } = first;
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more such ${others.length === 1 ? 'value' : 'values'})`;
  return new McpRecordError({
    code: 'SECRETS_NOT_REDACTED',
    what: `Cannot redact everything that the rules match in ${file}`,
    why: `the rule "${kind}" matches ${pointer}${more}, without which the session cannot be played`,
    next: 'The value is still in the file. Have the client or server use another one, or make the rule narrower.',
    place: { file, line },
  });
}
