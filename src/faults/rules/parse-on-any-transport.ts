import type { FaultTransport } from '../fault.ts';

/**
 * Parses a rule for the first transport on which its fault has a meaning.
 * @throws the error for the first transport, if it has a meaning on none
 */
export function parseOnAnyTransport<Parsed>(
  [first, ...others]: readonly FaultTransport[],
  parse: (transport: FaultTransport) => Parsed,
): Parsed {
  try {
    return parse(first ?? 'memory');
  } catch (error) {
    for (const transport of others) {
      try {
        return parse(transport);
      } catch {
        // The error for the first transport is thrown.
      }
    }
    throw error;
  }
}
