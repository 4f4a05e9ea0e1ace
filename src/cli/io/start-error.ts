import type { McpRecordError } from '../../kernel/errors.ts';
import { fail } from './output.ts';

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** Says that a server cannot be started; gives the status that a shell would. */
export function cannotStart(error: McpRecordError): number {
  fail(error);
  return error.code === 'COMMAND_NOT_FOUND' ? NOT_FOUND : NOT_EXECUTABLE;
}
