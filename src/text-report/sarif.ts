import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../kernel/platform/sha256.ts';
import { changeLines } from './change-lines.ts';
import type { Outcome, Severity, Step } from './outcome-model.ts';
import { printableJson } from './printable-text.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/**
 * Formats an outcome as SARIF 2.1.0, with which code review shows failures at their lines in the cassette. `version` is
 * that of this tool.
 */
export function sarif({ title, ...outcome }: Outcome, version: string): string {
  const failed = outcome.steps.filter(({ status }) => status === 'failed' || status === 'error');
  const results = failed.flatMap((step) =>
    differencesOf(step).map(({ level, text, line = step.line, isChange }) => {
      const file = step.missingIn ?? step.file ?? outcome.file;
      return {
        ruleId: step.rule?.id ?? title,
        level,
        message: { text },
        locations: [{ physicalLocation: locationOf(file, step.missingIn === undefined ? line : undefined) }],
        // GitHub takes two results of a line for one, unless they have fingerprints of their own.
        ...(isChange && { partialFingerprints: { primaryLocationLineHash: fingerprintOf(file, text) } }),
      };
    }),
  );
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

interface ReportedDifference {
  level: string;
  text: string;
  line?: number | undefined;
  /** Whether it is one of the changes of a step, which may have several at a line. */
  isChange: boolean;
}

/** Returns each change of a step. A step without changes, or with a difference that no change explains, has an error for it. */
function differencesOf({
  title,
  headline = 'failed',
  details = [],
  changes = [],
  hasAllChanges,
}: Step): ReportedDifference[] {
  const isExplained =
    changes.length > 0 &&
    (hasAllChanges === true || changes.some(({ severity }) => severity === 'breaking' || severity === 'suspicious'));
  const whole = { level: 'error', text: `${title}: ${headline}`, isChange: false };
  const each = changes.map((change) => ({
    level: LEVELS[change.severity],
    text: `${title}: ${changeLines([change]).join('\n')}`,
    line: change.line,
    isChange: true,
  }));
  const [first, ...others] = isExplained ? each : [whole, ...each];
  return [{ ...first!, text: [first!.text, ...details].join('\n') }, ...others];
}

const FINGERPRINT_LENGTH = 16;

function fingerprintOf(file: string, text: string): string {
  return sha256(Buffer.from(`${file}\n${text}`)).slice(0, FINGERPRINT_LENGTH);
}

/** Returns a location. SARIF names files by URI, relative to the checkout if possible. */
function locationOf(file: string, line = 1): object {
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
