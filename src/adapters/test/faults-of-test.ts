import type { FaultTransport } from '../../faults/fault.ts';
import { anyMethod } from '../../faults/rules/unknown-rule-method.ts';
import { type FaultRule, parseFaultRuleList } from '../../modes/faulty-channel.ts';
import { type Expectations, isFailure, type Reaction } from '../../replay/findings/failure-policy.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';

/** A mock server or session of a test. */
interface Misbehaving<Ending extends readonly unknown[], Outcome extends ReplayOutcome> {
  misbehave(rules: readonly FaultRule[]): void;
  finish(...ending: Ending): Promise<Outcome>;
}

/** The faults that a test sets with `mcp.faults`. */
export class FaultsOfTest {
  rules: readonly FaultRule[] = [];
  /** Whether the test has called `mcp.faults`. */
  wereSet = false;
  #haveMisbehaved = false;
  /** Transports of the test's sessions and servers. */
  readonly #transports = new Set<FaultTransport>();

  /** Notes a transport on which later rules have to be possible. */
  addTransport(transport: FaultTransport): void {
    this.#transports.add(transport);
  }

  /** @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING */
  set(rules: readonly FaultRule[]): void {
    // Each session and server checks the methods against its own cassette.
    for (const transport of [undefined, ...this.#transports]) parseFaultRuleList(rules, transport, anyMethod);
    this.rules = rules;
    this.wereSet = true;
    this.#haveMisbehaved ||= rules.length > 0;
  }

  /**
   * Lets a server or session report what its client does otherwise, once it has had faults. A client is expected to
   * deviate from the cassette then. Options that the test has `given` stay.
   */
  reporting<
    Ending extends readonly unknown[],
    Outcome extends ReplayOutcome,
    Kind extends Misbehaving<Ending, Outcome>,
  >(one: Kind & Misbehaving<Ending, Outcome>, { onUnused = 'report', onDifference = 'report' }: Expectations): Kind {
    const { misbehave, finish } = one;
    const left = { onMiss: 'fail', onUnfired: 'fail', onUnused, onDifference } satisfies Record<string, Reaction>;
    let hasMisbehaved = false;
    one.misbehave = (rules) => {
      misbehave(rules);
      hasMisbehaved ||= rules.length > 0;
    };
    one.finish = async (...ending) => {
      const outcome = await finish(...ending);
      if (!hasMisbehaved && !this.#haveMisbehaved) return outcome;
      const failures = outcome.failures.filter(({ kind }) => isFailure(kind, left));
      return { ...outcome, failures, failed: failures.length > 0 };
    };
    return one;
  }
}
