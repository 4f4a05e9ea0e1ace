import { existsSync, readFileSync } from 'node:fs';
import { membersOf } from '../../transports/stdio/end-process-group.ts';

/** Maximum length of a command line in messages. */
const COMMAND_LENGTH_MAX = 120;

/**
 * Returns the running processes of a group, each with its id and the start of its command line. Without `/proc` they are
 * unknown, and the list is empty.
 */
export function leftProcesses(group: number): string[] {
  return existsSync('/proc/self/stat') ? membersOf(group).map((pid) => `process ${pid}${commandOf(pid)}`) : [];
}

function commandOf(pid: string): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    const shown = words.length > COMMAND_LENGTH_MAX ? `${words.slice(0, COMMAND_LENGTH_MAX)}…` : words;
    return words === '' ? '' : ` (${shown})`;
  } catch {
    return '';
  }
}
