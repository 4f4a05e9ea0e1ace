import { describe, expect, it } from 'vitest';
import { outcomeText, restOfOutcomeText } from '../../src/text-report/check-outcome-text.ts';
import type { Outcome, Step } from '../../src/text-report/outcome-model.ts';

const outcome = (steps: Step[], notes: string[] = []): Outcome => ({
  title: 'verify',
  file: 'cassette.yaml',
  steps,
  notes,
  duration: 1_234,
});
const passed: Step = { title: 'initialize', line: 1, status: 'passed', duration: 12.6 };

describe('outcomeText', () => {
  it('is a line a step and a summary where all passed', () => {
    expect(outcomeText(outcome([passed, { title: 'ping', line: 4, status: 'skipped', headline: 'no need' }]))).toEqual([
      '✓ initialize  line 1  13 ms',
      '- ping  line 4  no need',
      '',
      '1 passed, 1 skipped in 1.2 s',
    ]);
  });

  it('begins with what failed and its difference, and says it once', () => {
    const step: Step = {
      title: 'tools/list',
      line: 7,
      status: 'failed',
      headline: 'breaking: tool "a" was removed',
      details: ['one', 'two\nthree'],
      changes: [{ severity: 'breaking', path: '/result/tools/0', reason: 'tool "a" was removed' }],
      recorded: { a: 1 },
      live: { a: 2 },
    };
    expect(outcomeText(outcome([passed, step], ['a note']))).toEqual([
      '✗ tools/list: breaking: tool "a" was removed (cassette.yaml:7)',
      '  one',
      '  two',
      '  three',
      '  breaking: tool "a" was removed (/result/tools/0)',
      '  --- cassette.yaml:7',
      '  +++ live',
      '  - a: 1',
      '  + a: 2',
      '',
      '✓ initialize  line 1  13 ms',
      '',
      'note: a note',
      '',
      '1 failed, 1 passed in 1.2 s',
    ]);
  });

  it('ends with what failed on a terminal that has shown steps already', () => {
    const asIs = (text: string) => text;
    const plain = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };
    const failed: Step = { title: 'x', line: 2, status: 'failed', headline: 'no', recorded: 1, live: 2 };
    const late: Step = { title: 'y', line: 3, status: 'passed' };
    const shown = ['✓ initialize  line 1  13 ms', '✗ x  line 2'];
    expect(restOfOutcomeText(outcome([passed, failed, late]), plain, (line) => shown.includes(line))).toEqual([
      '✓ y  line 3',
      '',
      '✗ x: no (cassette.yaml:2)',
      '  --- cassette.yaml:2',
      '  +++ live',
      '  - 1',
      '  + 2',
      '',
      '1 failed, 2 passed in 1.2 s',
    ]);
    const other: Step = { title: 'z', line: 4, status: 'failed', headline: 'no answer' };
    expect(restOfOutcomeText(outcome([failed, other]), plain, () => true).slice(-5)).toEqual([
      '',
      '✗ x: no (cassette.yaml:2)',
      '✗ z: no answer (cassette.yaml:4)',
      '',
      '2 failed, 0 passed in 1.2 s',
    ]);
  });

  it('keeps the order of the session, and joins failures without a difference', () => {
    const failed = (n: number): Step => ({ title: `step ${n}`, status: 'failed', headline: 'no' });
    const drawn: Step = { title: 'x', line: 2, status: 'failed', headline: 'no', recorded: 1, live: 2 };
    expect(outcomeText(outcome([failed(0), failed(1), passed, drawn, failed(2)]))).toEqual([
      '✗ step 0: no (cassette.yaml)',
      '✗ step 1: no (cassette.yaml)',
      '',
      '✗ x: no (cassette.yaml:2)',
      '  --- cassette.yaml:2',
      '  +++ live',
      '  - 1',
      '  + 2',
      '',
      '✗ step 2: no (cassette.yaml)',
      '',
      '✓ initialize  line 1  13 ms',
      '',
      '4 failed, 1 passed in 1.2 s',
    ]);
    expect(outcomeText(outcome([drawn])).slice(-2)).toEqual(['', '1 failed, 0 passed in 1.2 s']);
    expect(outcomeText(outcome([drawn])).join('\n')).not.toContain('\n\n\n');
    expect(outcomeText(outcome([drawn], ['a note'])).slice(-4)).toEqual([
      '',
      'note: a note',
      '',
      '1 failed, 0 passed in 1.2 s',
    ]);
  });

  it('prints nothing that a terminal would take for an order', () => {
    const evil = '\u001b[2J\u0007';
    const step: Step = {
      title: evil,
      status: 'failed',
      headline: evil,
      details: [evil],
      changes: [{ severity: 'cosmetic', path: `/${evil}`, reason: evil }],
      recorded: { [evil]: evil },
      live: evil,
    };
    const lines = outcomeText(outcome([step, { ...step, status: 'skipped' }], [evil]));
    expect(lines.filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
  });

  it('paints what is good, bad, and beside the point', () => {
    const paint = {
      good: (text: string) => `<g>${text}</g>`,
      bad: (text: string) => `<b>${text}</b>`,
      dim: (text: string) => `<d>${text}</d>`,
      bold: (text: string) => `<strong>${text}</strong>`,
      hunk: (text: string) => `<h>${text}</h>`,
    };
    const failed: Step = { title: 'x', line: 2, status: 'failed', headline: 'no', recorded: 1, live: 2 };
    const lines = outcomeText(outcome([passed, failed]), paint);
    expect(lines).toContain('<g>✓</g> initialize<d>  line 1  13 ms</d>');
    expect(lines[0]).toBe('<b>✗ x: no</b> <d>(cassette.yaml:2)</d>');
    expect(lines).toContain('  <strong>--- cassette.yaml:2</strong>');
    expect(lines).toContain('  <b>- 1</b>');
    expect(lines).toContain('  <g>+ 2</g>');
    expect(lines.at(-1)).toBe('<b>1 failed</b>, <g>1 passed</g> in 1.2 s');
  });
});
