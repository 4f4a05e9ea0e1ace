/**
 * Shows the summary of `mcp-record check` on the page of the job, and in one comment of the pull request: an earlier
 * comment of the same job and folder of reports is changed. A comment that cannot be written is a warning, since the check has its own result.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { REPORTS, COMMENT, TOKEN, GITHUB_STEP_SUMMARY, GITHUB_EVENT_PATH, GITHUB_API_URL, GITHUB_REPOSITORY } =
  process.env;
const PAGE_LENGTH = 100;

const file = join(REPORTS, 'summary.md');
if (!existsSync(file)) console.log('There is no summary: mcp-record check could not start.');
else {
  const summary = readFileSync(file, 'utf8');
  if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, summary);
  const { pull_request: pull } = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
  if (COMMENT === 'true' && pull) await comment(pull.number, summary).catch(warn);
}

async function comment(number, summary) {
  const mark = `<!-- mcp-record check: ${process.env.GITHUB_WORKFLOW} / ${process.env.GITHUB_JOB} / ${REPORTS} -->`;
  const comments = `repos/${GITHUB_REPOSITORY}/issues/${number}/comments`;
  const body = `${mark}\n${summary}`;
  for (let page = 1, found = []; page === 1 || found.length === PAGE_LENGTH; page++) {
    found = await github('GET', `${comments}?per_page=${PAGE_LENGTH}&page=${page}`);
    for (const { id } of found.filter((one) => one.body?.startsWith(mark))) {
      const path = `repos/${GITHUB_REPOSITORY}/issues/comments/${id}`;
      // Somebody else may have written a comment with this mark, which cannot be changed.
      if (await github('PATCH', path, { body }).catch(() => undefined)) return;
    }
  }
  await github('POST', comments, { body });
}

async function github(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, accept: 'application/vnd.github+json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status}`);
  return response.json();
}

function warn(error) {
  const advice = 'The job needs `permissions: { pull-requests: write }`. Pull requests from forks do not get it.';
  console.log(`::warning title=mcp-record::Cannot comment on the pull request (${error.message}). ${advice}`);
}
