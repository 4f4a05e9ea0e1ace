import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { junitXml } from '../../src/text-report/junit.ts';
import type { Outcome } from '../../src/text-report/outcome-model.ts';

const outcome: Outcome = {
  title: 'verify',
  file: 'cassettes/a & b.yaml',
  steps: [
    { title: 'initialize', line: 1, status: 'passed', duration: 1_500 },
    { title: 'ping', status: 'skipped', headline: 'gone' },
    {
      title: 'tools/call "<x>"',
      line: 9,
      status: 'failed',
      headline: 'said "no"\u0000\ud800',
      details: ['stderr: ]]>'],
      changes: [{ severity: 'breaking', path: '/a', reason: 'gone' }],
      recorded: 1,
      live: 2,
    },
  ],
  notes: [],
  duration: 2_000,
};

describe('junitXml', () => {
  it('has a case for each step, with the difference where it failed', () => {
    expect(junitXml(outcome)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="verify cassettes/a &amp; b.yaml" tests="3" failures="1" errors="0" skipped="1" time="2.000">
    <testcase classname="cassettes/a &amp; b.yaml" name="initialize (line 1)" time="1.500"/>
    <testcase classname="cassettes/a &amp; b.yaml" name="ping" time="0.000"><skipped message="gone"/></testcase>
    <testcase classname="cassettes/a &amp; b.yaml" name="tools/call &quot;&lt;x&gt;&quot; (line 9)" time="0.000"><failure message="said &quot;no&quot;\ufffd\ufffd">stderr: ]]&gt;
breaking: gone (/a)
--- recorded
+++ live
- 1
+ 2</failure></testcase>
  </testsuite>
</testsuites>
`);
  });

  it('has an error where the check could not be made', () => {
    const rule = { id: 'CASSETTE_BAD_EVENT', sentence: 'Cannot read' };
    const xml = junitXml({
      ...outcome,
      steps: [{ title: 'verify', status: 'error', rule, headline: 'a "b"', details: ['c'] }],
    });
    expect(xml).toContain('tests="1" failures="0" errors="1" skipped="0"');
    expect(xml).toContain('<error type="CASSETTE_BAD_EVENT" message="a &quot;b&quot;">a "b"\nc</error></testcase>');
  });

  it('escapes what would steer a terminal that shows the file', () => {
    const title = 'a\r\u009b\u202e\u{e0041}b 👩‍👩‍👧';
    const xml = junitXml({ ...outcome, steps: [{ title, status: 'failed', headline: title, details: [title] }] });
    expect(xml).toContain('name="a&#13;&#155;&#8238;&#917569;b 👩‍👩‍👧"');
    expect(xml).not.toMatch(/[\r\u009b\u202e]/);
  });

  it('is XML to a parser of XML', ({ skip }) => {
    const { status, error, stderr } = spawnSync(
      'python3',
      ['-c', 'import sys, xml.dom.minidom as m; m.parse(sys.stdin)'],
      {
        input: junitXml(outcome),
      },
    );
    if (error) skip('needs python3');
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});
