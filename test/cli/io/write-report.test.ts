import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { mockServerLog } from '../../../src/cli/io/mock-server-log.ts';
import { writeReport } from '../../../src/cli/io/write-report.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { itOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();

itOnPosix('file modes', 'what a session said is read by its owner alone, in reports and logs, too', () => {
  const report = join(folder, 'report.html');
  writeReport(report, 'what was said');
  const log = join(folder, 'findings.jsonl');
  mockServerLog(log).started();
  expect([report, log].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
});
