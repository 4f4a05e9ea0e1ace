/// <reference lib="esnext.disposable" preserve="true" />
import { memoryPair } from '../../channel/memory-pair.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { type FaultRule, faultyChannel, rulesFor } from '../../modes/channel-faults.ts';
import { type SdkTransport, serverTransport, sessionTransport } from './sdk-transport.ts';

export interface LinkedOptions {
  /** How the two sides misbehave from the beginning. */
  faults?: readonly FaultRule[];
  /** What the chance of faults draws from. Default: 0. */
  seed?: number;
  /** What faults take their time from. */
  clock?: Clock;
}

/**
 * A client and a server in this process, and what may go wrong between them. Going out of scope drops what is held, and throws
 * FAULT_THREW where a fault did; `onerror` of both has heard it at once.
 */
export interface LinkedTransports extends Disposable {
  client: SdkTransport;
  server: SdkTransport;
  /**
   * From now on these faults happen, in place of those before; they count messages from here. None: all passes.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(rules: readonly FaultRule[]): void;
  /** The faults that have happened, in order. */
  readonly fired: readonly Fired[];
  /** Which rules have not, in words. */
  readonly unfired: readonly string[];
}

/**
 * Links a client of either SDK with a server of either SDK, without a cassette: what `InMemoryTransport.createLinkedPair()` is,
 * with faults.
 * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export function linkedTransports(options: LinkedOptions = {}): LinkedTransports {
  const { faults = [], seed = 0, clock = systemClock } = options;
  const [near, far] = memoryPair();
  const thrown: McpRecordError[] = [];
  const failed = (error: McpRecordError) => {
    thrown.push(error);
    for (const end of [client, server]) end.onerror?.(error);
  };
  const traffic = faultyChannel(far, { seed, clock, failed });
  const client = sessionTransport({ channel: near });
  const server = serverTransport(traffic.channel);
  const misbehave = (rules: readonly FaultRule[]) => traffic.use(rulesFor(rules, 'memory'));
  misbehave(faults);
  return {
    client,
    server,
    misbehave,
    fired: traffic.fired,
    get unfired() {
      return traffic.unfired;
    },
    [Symbol.dispose]() {
      traffic.stop();
      if (thrown[0]) throw thrown[0];
    },
  };
}
