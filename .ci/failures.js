// Prints what failed in a run, from vitest's JSON report: node .ci/failures.js NAME REPORT
import { readFileSync } from 'node:fs';

const LENGTH_MAX = 3_000;
const [run, report] = process.argv.slice(2);

for (const { name, message, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failed) print(fullName, failureMessages.join('\n'));
  if (message) print('the file', message);

  function print(title, text) {
    console.log(`FAILED in ${run}: ${name}: ${title}\n${text.slice(0, LENGTH_MAX)}`);
  }
}
