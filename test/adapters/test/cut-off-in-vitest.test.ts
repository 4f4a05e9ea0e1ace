import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { VitestProject } from '../vitest-project.ts';

const folder = temporaryFolder();
const whole = join(folder, 'whole.yaml');
await recordSession(whole);
const text = readFileSync(whole, 'utf8');
/** Cut within the answer to the last call. */
const cut = text.slice(0, text.lastIndexOf('- server:') + '- serv'.length);

describe('a cassette that was cut off', () => {
  it('has that test skipped by testServer, with the reason', async () => {
    const project = new VitestProject(folder, '');
    writeFileSync(join(project.folder, 'cut.yaml'), cut);
    project.write("import { testServer } from 'mcp-record/vitest';\ntestServer('cut.yaml', () => server);\n");
    const { status, said } = await project.run(undefined, '--reporter=verbose');
    expect([status, said]).toEqual([0, expect.stringContaining('1 skipped')]);
    expect(said).toMatch(
      /↓ .*"weather" \(line \d+, without a recorded answer\) .*\[was not answered in the cassette\]/,
    );
    expect(said).toContain('cut.yaml:');
    expect(said).toContain('the recording was cut short here');
  });
});
