/// <reference lib="esnext.disposable" preserve="true" />
import { memoryPair } from '../../channel/memory-pair.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { type FaultRule, faultyChannel, parseFaultRuleList } from '../../modes/faulty-channel.ts';
import { validateApiOptions } from '../../modes/validate-api-options.ts';
import { type SdkTransport, serverTransport, sessionTransport } from './channel-transport.ts';

export interface LinkedOptions {
  /** Fault rules at the start. */
  faults?: readonly FaultRule[];
  /** Seed for the randomness of faults. Default: 0. */
  seed?: number;
  /** Clock of the faults. */
  clock?: Clock;
}

/**
 * A linked client and server in this process, with faults between them. The end of the scope drops held messages, and
 * throws FAULT_THREW if a fault threw an error; `onerror` of both transports is called with it at once.
 */
export interface LinkedTransports extends Disposable {
  client: SdkTransport;
  server: SdkTransport;
  /**
   * Replaces the fault rules from now on. The new rules count messages from now on. Without rules, every message
   * passes.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(rules: readonly FaultRule[]): void;
  /** Fired faults, in order. */
  readonly fired: readonly Fired[];
  /** One sentence per unfired rule. */
  readonly unfired: readonly string[];
}

/**
 * Links a client and a server of either SDK without a cassette, like `InMemoryTransport.createLinkedPair()`, with
 * faults.
 * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING, OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
export function linkedTransports(options: LinkedOptions = {}): LinkedTransports {
  validateApiOptions(options, 'pair of linked transports', { areAll: true });
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
  const misbehave = (rules: readonly FaultRule[]) => traffic.use(parseFaultRuleList(rules, 'memory'));
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
