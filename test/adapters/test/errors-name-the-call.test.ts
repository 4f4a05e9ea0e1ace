import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { HEAD, VitestProject } from '../vitest-project.ts';

const folder = temporaryFolder();

it('fails at the line of the test that named the server, where GitHub shows the annotation', async () => {
  const project = new VitestProject(folder, '');
  await recordSession(join(project.folder, 'a.yaml'));
  const tests = [
    "import { verifyServer } from 'mcp-record/testing';",
    "import { testServer } from 'mcp-record/vitest';",
    "testServer('a.yaml', () => server);",
    "test('all', async () => {",
    `  await verifyServer(${JSON.stringify(join(project.folder, 'a.yaml'))}, server);`,
    '});',
  ];
  project.write(tests.join('\n'));
  const { status, said } = await project.run('extra-field', '--reporter=github-actions');
  expect(status).toBe(1);
  const line = (words: string) => `${HEAD}${tests.join('\n')}`.split('\n').findIndex((one) => one.includes(words)) + 1;
  const annotated = [...said.matchAll(/^::error file=.*weather\.test\.js,title=.*?,line=(\d+),/gm)];
  const lines = annotated.map(([, at]) => Number(at));
  expect(new Set(lines)).toEqual(new Set([line('testServer('), line('await verifyServer(')]));
});
