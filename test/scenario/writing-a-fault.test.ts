import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultFunction } from '../../src/adapters/faults.ts';
import { misbehaving } from '../faults/stage.ts';
import { echo } from './writing-a-fault/echo.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'writing-a-fault.md'), 'utf8');

/** A file as the page has it: from where it would stand in the house. */
const shown = (file: string) =>
  readFileSync(join(import.meta.dirname, 'writing-a-fault', file), 'utf8')
    .replaceAll("'../../../src/faults/", "'../")
    .replaceAll("'../../faults/", "'../")
    .replaceAll("'./echo.ts'", "'../../../src/faults/messages/echo.ts'");

it.each(['echo.ts', 'echo.test.ts'])('the page of writing a fault shows %s as it runs', (file) => {
  expect(page).toContain(`\`\`\`ts\n${shown(file)}\`\`\``);
});

it('a fault of one’s own works without a place in the house', () => {
  const line = misbehaving([faultFunction(echo)({ on: 'tools/call', count: 2 })]);
  line.client({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(line.arrived()).toHaveLength(1);
});
