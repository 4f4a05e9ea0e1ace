import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { jsonToYaml } from '../../cassette/write/json-to-yaml.ts';
import type { FaultKind } from '../../faults/fault.ts';
import { FAULTS } from '../../faults/fault-table.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { checkNoticeable, parseFaultRules } from '../../faults/rules/parse-fault-rules.ts';
import { anyMethod } from '../../faults/rules/unknown-rule-method.ts';
import { subjectCondition, type When } from '../../faults/rules/when.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isNotification, isRequest, isResponse, type Request } from '../../protocol/message.ts';
import { canFire, SWEEP_PARAMETERS } from '../../sweep/client/fault-cases.ts';

/** A fault of the fault table that fits a message, with its rule. */
export interface FittingFault {
  name: string;
  /** Effect in one sentence. */
  doc: string;
  rule: Rule;
  /** Rule in YAML, in the syntax of scenarios and faults files. */
  yaml: string;
}

/** Message that is a possible target of a fault. */
interface Target {
  entry: SessionEntry;
  /** Method of the message. For a response: method of its request. */
  method: string;
  when: When;
}

/**
 * Returns the faults that fit the message at a line, in fault table order. For a client request, the faults apply to
 * the request or to its response.
 */
export function fittingFaults({ events }: Cassette, line: number): FittingFault[] {
  const targets = targetsAt(eventsToEntries(events), line);
  return [...FAULTS.values()].flatMap((kind) => {
    // Faults with `concerns` need a message part that a plain mock server lacks, such as an access token.
    if (!kind.transports.includes('http') || kind.concerns) return [];
    return fittingFault(kind, targets) ?? [];
  });
}

function fittingFault(kind: FaultKind, targets: readonly Target[]): FittingFault | undefined {
  const { name, doc, when = {} } = kind;
  const target = targets.find(
    ({ entry, method }) => entry.from === (when.from ?? 'server') && canFire(when, entry.message, method),
  );
  if (target === undefined) return undefined;
  const written = { do: name, ...SWEEP_PARAMETERS[name], when: target.when };
  try {
    const { rules } = parseFaultRules(
      { faults: [written] },
      { name: 'the page', transport: 'http', usesMethod: anyMethod },
    );
    checkNoticeable(rules, { tested: 'client', name: 'the page' });
    return { name, doc, rule: rules[0]!, yaml: yamlOf(written) };
  } catch (error) {
    if (error instanceof McpRecordError) return undefined;
    throw error;
  }
}

function targetsAt(entries: readonly SessionEntry[], line: number): Target[] {
  const entry = entries.find((one) => one.line === line);
  if (entry === undefined) return [];
  const { requestOf, answerOf } = correlateEntries([...entries]);
  const { message } = entry;
  if (isNotification(message)) {
    return [{ entry, method: message.method, when: { kind: 'notification', method: message.method } }];
  }
  const request = isRequest(message) ? entry : entries[requestOf.get(entry.index) ?? -1];
  if (request === undefined || !isRequest(request.message)) return [];
  const { method } = request.message;
  const about = (kind: 'request' | 'response', from: When['from']): When => ({
    ...(from === 'client' && { from }),
    kind,
    method,
    ...subjectCondition(request.message as Request),
  });
  const answer = entries[answerOf.get(request.index) ?? -1];
  return [
    ...(answer && isResponse(answer.message) ? [{ entry: answer, method, when: about('response', answer.from) }] : []),
    ...(isRequest(message) ? [{ entry: request, method, when: about('request', request.from) }] : []),
  ];
}

/** Returns a rule as an item of a list in YAML. */
function yamlOf(rule: object): string {
  const text = JSON.stringify([rule]);
  const lines = jsonToYaml(text, 0)?.split('\n') ?? [`  - ${text.slice(1, -1)}`];
  return lines
    .filter((line) => line !== '')
    .map((line) => line.slice(2))
    .join('\n');
}
