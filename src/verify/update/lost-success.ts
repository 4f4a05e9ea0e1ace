import { isObject } from '../../protocol/message.ts';

/** Reports whether an answer was a success in the cassette, and is an error of JSON-RPC, of a tool or of a task now. */
export function isLostSuccess(recorded: unknown, live: unknown): boolean {
  return isObject(recorded) && 'result' in recorded && !isError(recorded) && isError(live);
}

function isError(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { error, result } = message;
  if (error !== undefined || !isObject(result)) return error !== undefined;
  return result.isError === true || (result.taskId !== undefined && result.status === 'failed');
}
