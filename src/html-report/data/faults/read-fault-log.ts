import type { Side } from '../../../channel/frame.ts';
import { type Id, isObject } from '../../../protocol/message.ts';

/** Line of a fault journal that `--journal` has written. */
export interface FaultLogEntry {
  fault: string;
  from: Side;
  /** Number of the message, counted from 1 on its side. 0: the fault fired before the first message. */
  message: number;
  /** Method of the message; a response has the method of its request. */
  method?: string;
  /** JSON-RPC id, if the message is a request or response. */
  id?: Id;
  /** HTTP exchange of the message. */
  stream?: number;
  /** Number of the rule in the given rules. */
  rule?: number;
}

/**
 * Parses a journal of faults, one JSON object per line. A line about a fault that changed nothing is left out.
 * @throws SyntaxError for any other line
 */
export function readFaultLog(text: string): FaultLogEntry[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const entry: unknown = JSON.parse(line);
    if (!isEntry(entry)) throw new SyntaxError(`line ${index + 1} does not say which fault struck which message`);
    return 'unchanged' in entry ? [] : [entry];
  });
}

function isEntry(value: unknown): value is FaultLogEntry {
  return (
    isObject(value) &&
    typeof value.fault === 'string' &&
    (value.from === 'client' || value.from === 'server') &&
    typeof value.message === 'number'
  );
}
