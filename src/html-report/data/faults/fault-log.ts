import type { Side } from '../../../channel/frame.ts';
import { type Id, isObject } from '../../../protocol/message.ts';

/** A fault that fired, as `--journal` writes it. */
export interface FaultLogEntry {
  fault: string;
  from: Side;
  /** Position among the messages of that side, from 1; 0 where it fired before any. */
  message: number;
  /** Method of the message, or of the request that it answers. */
  method?: string;
  /** Of a request or an answer. */
  id?: Id;
  /** HTTP exchange that carried it. */
  stream?: number;
  /** Position of its rule among those that were given. */
  rule?: number;
}

/** Parses a journal of faults, one JSON object per line. @throws SyntaxError for any other line */
export function readFaultLog(text: string): FaultLogEntry[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const entry: unknown = JSON.parse(line);
    if (!isEntry(entry)) throw new SyntaxError(`line ${index + 1} does not say which fault struck which message`);
    return entry;
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
