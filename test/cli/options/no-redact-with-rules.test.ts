import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { fixture, recorder, run } from '../../support/process.ts';

it('a recording without redaction says that the rules of the project are not used', async () => {
  const warned = async (env: Record<string, string>) => {
    const command = recorder(join(temporaryFolder(), 'a.yaml'), fixture('answers.js'), '--no-redact');
    return (await run({ ...command, env })).stderr;
  };
  const rules = join(temporaryFolder(), 'rules.yaml');
  writeFileSync(rules, 'redact: [{ key: acme }]\n');
  expect(await warned({ MCP_RECORD_REDACT_RULES: rules })).toContain(
    'passwords and tokens too, and the rules of MCP_RECORD_REDACT_RULES are not used',
  );
  expect(await warned({})).not.toContain('MCP_RECORD_REDACT_RULES');
});
