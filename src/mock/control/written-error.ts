import type { RpcError } from '../../protocol/message.ts';
import { BodyObject } from './body-object.ts';
import { badValue, type Located } from './control-errors.ts';

/**
 * Parses a JSON-RPC error: `{ code, message, data? }`.
 * @throws BodyError CONTROL_BAD_VALUE, CONTROL_UNKNOWN_KEY
 */
export function writtenError(located: Located): RpcError {
  const error = new BodyObject(located, ['code', 'message', 'data']);
  const code = error.whole('code', { min: Number.MIN_SAFE_INTEGER });
  if (code === undefined)
    throw badValue(error.at('code'), { why: 'it is missing', next: 'Send a code of JSON-RPC, such as -32603.' });
  const { data } = error.members;
  return { code, message: error.text('message'), ...(data !== undefined && { data }) };
}
