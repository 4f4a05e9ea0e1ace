import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SEVERITIES } from '../match/contract-change-types.ts';
import type { Outcome, Severity, Step } from './outcome-model.ts';
import { printableJson } from './printable-text.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/**
 * Formats an outcome as SARIF 2.1.0, with which code review shows failures at their lines in the cassette. `version` is
 * that of this tool.
 */
export function sarif({ title, ...outcome }: Outcome, version: string): string {
  const failed = outcome.steps.filter(({ status }) => status === 'failed' || status === 'error');
  const results = failed.map((step) => ({
    ruleId: step.rule?.id ?? title,
    level: levelOf(step),
    message: { text: [`${step.title}: ${step.headline ?? 'failed'}`, ...(step.details ?? [])].join('\n') },
    locations: [{ physicalLocation: locationOf(step, step.file ?? outcome.file) }],
  }));
  const broken = new Map(failed.map(({ rule }) => [rule?.id ?? title, rule?.sentence ?? `mcp-record ${title}`]));
  const rules = [...broken].map(([id, text]) => ({ id, shortDescription: { text } }));
  const driver = { name: 'mcp-record', version, rules };
  const invocations = failed.some(({ status }) => status === 'error') && [{ executionSuccessful: false }];
  // GitHub shows the results of a category until the next upload of this category.
  const automationDetails = { id: `${title} ${(outcome.named ?? [outcome.file]).join(' ')}/` };
  const run = { tool: { driver }, automationDetails, ...(invocations && { invocations }), results };
  const log = { $schema: SCHEMA, version: '2.1.0', runs: [run] };
  return printableJson(`${JSON.stringify(log, undefined, 2)}\n`);
}

/** Returns the location of a step. SARIF names files by URI, relative to the checkout if possible. */
function locationOf({ line = 1 }: Step, file: string): object {
  const uri = isAbsolute(file)
    ? pathToFileURL(file).href
    : file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return { artifactLocation: { uri }, region: { startLine: line } };
}

const LEVELS: Readonly<Record<Severity, string>> = {
  breaking: 'error',
  suspicious: 'warning',
  compatible: 'warning',
  cosmetic: 'note',
};

/** Returns the level of the worst change. A difference without changes gets the highest level. */
function levelOf({ changes = [] }: Step): string {
  const worst = SEVERITIES.find((severity) => changes.some((change) => change.severity === severity));
  return LEVELS[worst ?? 'breaking'];
}
