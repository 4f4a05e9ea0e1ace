import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeReportsOfChecks } from '../../../src/cli/check/reports-of-earlier-checks.ts';
import { packageVersion } from '../../../src/kernel/installed-package.ts';
import { junitXml } from '../../../src/text-report/junit.ts';
import { sarif } from '../../../src/text-report/sarif.ts';
import { temporaryFolder } from '../../support/cassette.ts';

it('reports of earlier checks are removed, and nothing that is not ours', () => {
  const folder = temporaryFolder();
  const outcome = (title: string) => ({ title, file: 'a.yaml', steps: [], notes: [], duration: 0 });
  for (const [name, title] of [
    ['redact', 'redact --check'],
    ['lint', 'lint'],
    ['diff-cassettes', 'diff'],
    ['verify-cassettes%2Fgone.yaml', 'verify'],
  ] as const) {
    writeFileSync(join(folder, `${name}.xml`), junitXml(outcome(title)));
    writeFileSync(join(folder, `${name}.sarif`), sarif(outcome(title), packageVersion()));
  }
  writeFileSync(join(folder, 'unit.xml'), junitXml(outcome('verify')));
  writeFileSync(join(folder, 'verify-notes.xml'), '<testsuites><testsuite name="unit tests"/></testsuites>');
  mkdirSync(join(folder, 'verify-folder.xml'));
  removeReportsOfChecks(folder);
  expect(readdirSync(folder).sort()).toEqual(['unit.xml', 'verify-folder.xml', 'verify-notes.xml']);
  removeReportsOfChecks(join(folder, 'none'));
});
