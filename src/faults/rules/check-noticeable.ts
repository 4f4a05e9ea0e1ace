import type { Side } from '../../channel/frame.ts';
import { McpRecordError, type Place } from '../../kernel/errors.ts';
import type { Rule } from './fault-rule.ts';

export interface NoticedBy {
  /** Side under test. The cassette plays the other side. */
  tested: Side;
  /** Name of the rules in messages, e.g. a file. */
  name: string;
  /** Returns the source location of a rule. `index` counts from 0. */
  placeOf?(index: number): Place | undefined;
}

/**
 * Checks that the side under test can notice each fault. A fault tests nothing if only the played side notices it, as the
 * receiver or the sender of the message.
 * @throws McpRecordError FAULT_NO_MEANING
 */
export function checkNoticeable(rules: readonly Rule[], { tested, name, placeOf }: NoticedBy): void {
  for (const [index, { fault, when }] of rules.entries()) {
    const { kind } = fault;
    const from = when?.from ?? kind.when?.from ?? 'server';
    const { noticedBy } = kind;
    if (noticedBy === undefined || (noticedBy === 'sender') === (from === tested)) continue;
    const place = placeOf?.(index);
    throw new McpRecordError({
      code: 'FAULT_NO_MEANING',
      what: `Cannot use the faults of ${name}`,
      why: `"${kind.name}" of a message of the ${from} is noticed by its ${noticedBy} alone, which is played here: the ${tested} under test would notice nothing`,
      next: (noticedBy === 'sender' ? NEXT_FOR_SENDER : NEXT)[tested](kind.name),
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

const NEXT_FOR_SENDER: typeof NEXT = {
  client: () =>
    'It tests a server that runs: mcp-record proxy, or verify with "when: { from: server }". To test a client over stdio, write "when: { from: client }".',
  server: () => 'To test the server, write "when: { from: server }".',
};
