import type { Command } from 'commander';
import type { Cassette } from '../../cassette/cassette.ts';
import { usesMethod } from '../../cassette/uses-method.ts';
import { LogFile } from '../../cassette/write/log-file.ts';
import type { Side } from '../../channel/frame.ts';
import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import { type Unfired, unfiredReason } from '../../faults/engine/unfired-rule.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { anySeed } from '../../kernel/random.ts';
import { say } from '../io/output.ts';
import { seedFrom } from './seed-option.ts';

/** Fault options as given on the command line. */
export interface FaultOptions {
  faults?: string;
  fault: string[];
  seed?: string;
  journal?: string;
  strictFaults?: boolean;
}

/** Fault rules with their seed and listeners. */
export interface Faults {
  rules: Rule[];
  seed: number;
  fired(fired: Fired): void;
  unchanged(one: Unchanged): void;
  /** The journal could not be written completely, so the run fails. */
  isJournalLost?: boolean;
}

const IN_FILE = 'a rule in braces into a YAML file, below "faults:" and after "- ", and give that with --faults FILE';

/** Maximum number of printed firings per rule. Printing thousands would take longer than the session. */
const SAID_MAX = 100;

/** Adds the fault options to a command. */
export function withFaultOptions(command: Command): Command {
  return command
    .option('--faults <file>', 'inject faults by the rules in this YAML file')
    .option(
      '--fault <rule>',
      'inject a fault: fault, fault:method or fault:method:name=value,… (repeatable)',
      (value: string, values: readonly string[]) => [...values, value],
      [],
    )
    .option('--seed <number>', 'seed of random faults; equal seeds give equal faults')
    .option('--journal <file>', 'append a JSON line for every fired fault')
    .option('--strict-faults', 'exit 1 also when a rule never fired');
}

/**
 * Returns the faults of the options, or `undefined` without rules. Prints the seed. `tested` is the side under test, if
 * the other one is played from `cassettes`. If that is the server, a rule without a side applies to messages of the client.
 * @throws McpRecordError FAULT_NO_MEANING for a fault that the side under test would not notice, USAGE_BAD_SEED, USAGE_CANNOT_WRITE, and those of `loadFaultRules` and `parseShortRule`
 */
export async function faultsOf(
  options: FaultOptions,
  transport: FaultTransport,
  tested?: Side,
  cassettes: readonly Cassette[] = [],
): Promise<Faults | undefined> {
  const { faults: file, fault } = options;
  if (file === undefined && fault.length === 0) return undefined;
  const [{ loadFaultRules }, { checkNoticeable, parseShortRule }] = await Promise.all([
    import('../../fault-proxy/load-fault-rules.ts'),
    import('../../faults/rules/parse-fault-rules.ts'),
  ]);
  const from = tested === 'server' ? 'client' : 'server';
  const usesRecorded = (method: string) => usesMethod(cassettes, method);
  const written = file === undefined ? { rules: [] } : loadFaultRules(file, transport, from, usesRecorded);
  const read = [
    ...written.rules,
    ...fault.map((text) =>
      parseShortRule(text, transport, {
        ...{ name: `--fault '${text}'`, from, longForm: IN_FILE, usesMethod: usesRecorded },
      }),
    ),
  ];
  const rules = tested === 'server' ? read.map(ofClient) : read;
  if (tested) checkNoticeable(rules, { tested, name: file ?? '--fault' });
  const seed = seedFrom(options.seed) ?? written.seed ?? anySeed();
  const shown = rules.filter((rule) => !isObserver(rule)).length;
  if (shown > 0 || rules.length === 0) say(`${formatCount(shown, 'fault')}, seed ${seed}`);
  if (rules.length === 0) return undefined;
  const { journal } = options;
  const log = journal === undefined ? undefined : openJournal(journal);
  const times = new Map<number, number>();
  const fired = (one: Fired) => {
    const count = (times.get(one.rule) ?? 0) + 1;
    times.set(one.rule, count);
    const isSaid = !isObserver(rules[one.rule - 1]!);
    if (isSaid && count <= SAID_MAX) say(described(one));
    if (isSaid && count === SAID_MAX)
      say(`rule ${one.rule} goes on unsaid; --journal FILE has every time that it fires`);
    note(one);
  };
  const note = (one: Fired) => {
    if (log === undefined || journal === undefined || faults.isJournalLost) return;
    try {
      log.append(`${JSON.stringify(one)}\n`);
    } catch (error) {
      // The session continues, and the run fails at its end.
      faults.isJournalLost = true;
      say(journalTrouble(journal, error).message);
    }
  };
  const faults: Faults = { rules, seed, fired, unchanged: note };
  return faults;
}

/**
 * Opens a journal.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
function openJournal(file: string): LogFile {
  try {
    const log = new LogFile(file);
    log.append('');
    return log;
  } catch (error) {
    throw journalTrouble(file, error);
  }
}

/** Returns the error for a journal that cannot be written, for example on a full disk. */
function journalTrouble(file: string, error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_CANNOT_WRITE',
    what: `Cannot write the journal of faults ${file}`,
    why: messageOf(error),
    next: 'Free space on the disk, or name a file with --journal in a folder that exists and may be written to.',
    cause: error,
  });
}

/** Sets the client as the side of a rule, unless the rule or its fault names one. */
function ofClient(rule: Rule): Rule {
  return { ...rule, when: { from: rule.fault.kind.when?.from ?? 'client', ...rule.when } };
}

/** Prints the rules that never fired. Returns whether they, or an incomplete journal, fail the run. */
export function fallsShort(faults: Faults, unfired: readonly Unfired[], { strictFaults }: FaultOptions): boolean {
  for (const { rule: number, why } of unfired) {
    const rule = faults.rules[number - 1]!;
    if (strictFaults || !isObserver(rule))
      say(`rule ${number} (${rule.fault.kind.name}) never fired${unfiredReason(rule, why)}`);
  }
  return faults.isJournalLost === true || (unfired.length > 0 && strictFaults === true);
}

/** Name of the fault `observe`. Its file is loaded with the rules only. */
const OBSERVE = 'observe';

/** Reports whether a rule only writes to the journal and changes nothing, as the observers of a sweep do. */
function isObserver({ fault }: Rule): boolean {
  return fault.kind.name === OBSERVE;
}

function described({ rule, fault, from, message, method }: Fired): string {
  return `rule ${rule} fired: ${fault} on message ${message} of the ${from}${method ? ` (${method})` : ''}`;
}
