import { describe, expect, it } from 'vitest';
import type { FailOn } from '../../src/match/contract-change-types.ts';
import type { Change, Severity, Step } from '../../src/text-report/outcome-model.ts';
import { toleratedOutcome, toleratedStep } from '../../src/text-report/pass-tolerated-steps.ts';

const change = (severity: Severity) => ({ severity, path: '/result/tools/0', reason: 'new tool "b"' });
const failed = (...severities: Severity[]): Step => ({
  title: 'tools/list',
  line: 3,
  status: 'failed',
  headline: 'compatible: new tool "b"',
  changes: severities.map(change),
  hasAllChanges: true,
});
const statusOf = (step: Step, failOn: 'any' | 'breaking') => toleratedStep(step, failOn).status;

describe('toleratedStep', () => {
  it('passes what is compatible or cosmetic, if that is asked for', () => {
    expect(statusOf(failed('compatible', 'cosmetic'), 'breaking')).toBe('passed');
    expect(statusOf(failed('compatible', 'cosmetic'), 'any')).toBe('failed');
  });

  it('fails what is breaking or suspicious, what has no change, and what differs beside its changes', () => {
    for (const severity of ['breaking', 'suspicious'] as const)
      expect(statusOf(failed('cosmetic', severity), 'breaking')).toBe('failed');
    expect(statusOf(failed(), 'breaking')).toBe('failed');
    expect(statusOf({ ...failed('cosmetic'), hasAllChanges: false }, 'breaking')).toBe('failed');
    expect(statusOf({ title: 'tools/call', status: 'failed', headline: 'hung' }, 'breaking')).toBe('failed');
  });

  it('passes breaking changes that are known to be used by nobody, if that is asked for', () => {
    const breaking = change('breaking');
    const used = (usedBy?: Change['usedBy'], failOn: FailOn = 'used') =>
      toleratedStep({ ...failed(), changes: [{ ...breaking, ...(usedBy && { usedBy }) }] }, failOn).status;
    expect(used([])).toBe('passed');
    expect(used([], 'breaking')).toBe('failed');
    expect(used([], 'any')).toBe('failed');
    expect(used('unknown')).toBe('failed');
    expect(used()).toBe('failed');
    expect(used([{ file: 'a.yaml', line: 1, uses: 1 }])).toBe('failed');
    const suspicious = { ...failed('suspicious'), changes: [{ ...change('suspicious'), usedBy: [] }] };
    expect(toleratedStep(suspicious, 'used').status).toBe('failed');
  });

  it('leaves other steps alone', () => {
    const skipped: Step = { title: 'ping', status: 'skipped' };
    expect(toleratedStep(skipped, 'breaking')).toBe(skipped);
  });

  it('tells what it passed, in the step and in a note', () => {
    const outcome = { title: 'verify', file: 'a.yaml', steps: [failed('compatible')], notes: ['first'], duration: 0 };
    const { steps, notes } = toleratedOutcome(outcome, 'breaking');
    expect(steps[0]!.details).toEqual([
      '--fail-on breaking does not fail this:',
      'compatible: new tool "b" (/result/tools/0)',
    ]);
    expect(notes).toEqual([
      'first',
      '--fail-on breaking does not fail tools/list: compatible: new tool "b" (a.yaml:3)',
    ]);
  });
});
