import type { Side } from '../../channel/frame.ts';
import { McpRecordError, type Place } from '../../kernel/errors.ts';
import type { Rule } from './fault-rule.ts';

export interface NoticedBy {
  /** The side under test. The other side is played from a cassette. */
  tested: Side;
  /** Name of the rules in messages, e.g. a file. */
  name: string;
  /** Returns the place of a rule in the source, from its position from 0. */
  placeOf?(index: number): Place | undefined;
}

/**
 * Checks that the side under test can notice each fault: a fault that its own messages suffer on their way to the played
 * side, and that only their receiver sees, tests nothing.
 * @throws McpRecordError FAULT_NO_MEANING
 */
export function checkNoticeable(rules: readonly Rule[], { tested, name, placeOf }: NoticedBy): void {
  for (const [index, { fault, when }] of rules.entries()) {
    const { kind } = fault;
    const from = when?.from ?? kind.when?.from ?? 'server';
    if (from !== tested || kind.noticedBy !== 'receiver') continue;
    const place = placeOf?.(index);
    throw new McpRecordError({
      code: 'FAULT_NO_MEANING',
      what: `Cannot use the faults of ${name}`,
      why: `"${kind.name}" of a message of the ${tested} is noticed by its receiver alone, which is played here: the ${tested} under test would notice nothing`,
      next: NEXT[tested](kind.name),
      ...(place && { place }),
    });
  }
}

const NEXT: Readonly<Record<Side, (fault: string) => string>> = {
  client: (fault) =>
    fault === 'cancel'
      ? 'It tests a server: mcp-record sweep --server, or a scenario with "play: client". How a client gives up and cancels, "late" tests.'
      : 'To test the client, leave out "from: client". To test a server, use mcp-record verify or proxy, or a scenario with "play: client".',
  server: () => 'To test the server, write "when: { from: client }".',
};
