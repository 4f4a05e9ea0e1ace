/**
 * `npm run conformance:clients [-- COMMAND…]`: runs each scenario for clients directly and with a recorder in between, one after the
 * other, and prints how many of the checks are the same, and which are not. Other clients are given as a command that takes the
 * server's URL as its last argument. The results stay in the folder that is printed; `logs` there is what each recorder said.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientScenarios, conformance, scenario, throughRecorder } from './suite.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const own = [process.execPath, join(import.meta.dirname, 'client.js')];
const given = process.argv.slice(2);
const clients = given.length > 0 ? [given] : [own, [...own, '--one-redirect']];
const folder = mkdtempSync(join(tmpdir(), 'mcp-record-clients-'));
console.log(`Results: ${folder}`);

for (const [index, client] of clients.entries())
  for (const revision of REVISIONS) await compare(revision, client, join(folder, String(index), revision));

async function compare(revision: string, client: string[], results: string): Promise<void> {
  console.log(`\n${client.join(' ')}\n| ${revision} | direct | recorded alike | differs |\n|---|---|---|---|`);
  const sum = { direct: 0, alike: 0 };
  for (const name of await clientScenarios(revision)) {
    const checks = async (place: string, command: string[]) => {
      const target = ['--command', command.join(' ')];
      // Extensions belong to no revision, and run only when forced to.
      const scenarios = [...scenario(revision, name), '--force'];
      const options = { scenarios, target, results: join(results, place, name) };
      const { checks, said } = await conformance('client', options);
      const found = Object.values(checks).flat();
      if (found.length === 0) throw new Error(`${name} has no checks: ${said}`);
      return found;
    };
    const direct = await checks('direct', client);
    const recorded = await checks('recorded', throughRecorder(join(results, 'recorder'), client));
    const missing = without(direct, recorded);
    const added = without(recorded, direct);
    const alike = direct.length - missing.length;
    sum.direct += direct.length;
    sum.alike += alike;
    const differs = [...missing.map((one) => `- ${one}`), ...added.map((one) => `+ ${one}`)];
    console.log(`| ${name} | ${direct.length} | ${alike} | ${inShort(differs)} |`);
  }
  console.log(`| all | ${sum.direct} | ${sum.alike} | |`);
}

/** What `some` have more often than `others`. */
function without(some: string[], others: string[]): string[] {
  const left = [...others];
  return some.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Each difference by its id and outcome, and how often. */
function inShort(differences: string[]): string {
  const counts = new Map<string, number>();
  for (const difference of differences) {
    const [, sign = '', id = '', outcome = ''] = /^(\S) (\S+) .*: (\w+)$/.exec(difference) ?? [];
    if (outcome === 'INFO') continue;
    const short = `${sign}${id} ${outcome}`;
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return [...counts].map(([short, count]) => (count > 1 ? `${short} ×${count}` : short)).join(', ');
}
