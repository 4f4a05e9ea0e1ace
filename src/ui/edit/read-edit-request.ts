import type { EditRequest } from '../../html-report/data/live-page-protocol.ts';
import type { BodyObject } from '../../mock/control/body-object.ts';
import { badValue } from '../../mock/control/control-errors.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';

/**
 * Returns the members of a request to check or save an edit.
 * @throws BodyError CONTROL_BAD_VALUE
 */
export function readEditRequest(fields: BodyObject): EditRequest {
  const { text = '' } = fields.members;
  if (typeof text !== 'string')
    throw badValue(fields.at('text'), { why: 'it is no text', next: 'Send "text": "TEXT".' });
  const before = fields.text('before');
  if (!isObject(parseJson(before)))
    throw badValue(fields.at('before'), {
      why: 'it is no message',
      next: 'Send the JSON of the message that the page has.',
    });
  return {
    line: fields.whole('line', { min: 1 }) ?? 1,
    part: fields.whole('part') ?? 0,
    before,
    text,
    version: fields.text('version'),
    save: fields.flag('save'),
  };
}
