import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { metAgainNote, reportSweep, withoutLossText } from '../../../src/cli/sweep/sweep-report.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { CLIENT_VERDICTS, type Verdict } from '../../../src/sweep/client/verdict.ts';

const result = (name: string, verdict: Verdict, stderrTail: string) => {
  const [fault = '', message] = name.split('@');
  const point = { name, fault, message: Number(message), line: 3, title: 'initialize' };
  return { point, verdict, duration: 1, stderrTail };
};

const printed = (...results: ReturnType<typeof result>[]) => printedWith({}, ...results);

async function printedWith(
  more: Partial<Parameters<typeof reportSweep>[0]>,
  ...results: ReturnType<typeof result>[]
): Promise<string> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    written.push(String(text));
    for (const one of rest) if (typeof one === 'function') one();
    return true;
  });
  const points = results.map(({ point }) => point);
  const status = await reportSweep({
    file: 'a.yaml',
    points,
    results,
    verdicts: CLIENT_VERDICTS,
    json: [],
    options: {},
    redactor: createRedactor({ env: {} }),
    summary: 'all of them hung',
    foot: 'unseen',
    ...more,
  });
  spy.mockRestore();
  expect(status).toBe(1);
  return written.join('');
}

it('a client that gave up although no answer was lost is named, with its reason and without secrets', () => {
  const redactor = createRedactor({ env: {} });
  const found = [result('duplicate@1', 'reported', ''), result('duplicate@2', 'reported', 'password=correct-horse-9')];
  expect(withoutLossText([...found, result('drop@1', 'reported', 'no answer')], redactor)).toEqual([
    expect.stringMatching(
      /^It gave up although no answer was lost: duplicate@1 and 1 more\. .*"Giving up without need"\)\.$/,
    ),
    'standard error of duplicate@2:',
    '    password=[redacted:password:1]',
  ]);
  expect(withoutLossText([result('duplicate@1', 'passed', 'x')], redactor)).toEqual([]);
});

it('names points whose client gave up since each server that it started had the fault', () => {
  const one = (name: string, verdict: Verdict) => ({ ...result(name, verdict, ''), metAgain: true as const });
  const found = [one('cut@1', 'reported'), one('cut@2', 'reported'), one('end@1', 'passed')];
  expect(metAgainNote([...found, result('end@2', 'reported', '')])).toEqual([
    expect.stringMatching(/recovery was not tested: cut@1 and 1 more \(/),
  ]);
  expect(metAgainNote([result('cut@1', 'reported', '')])).toEqual([]);
});

it('the standard error is that of a crash, not that of an unreached or hung point before it', async () => {
  const text = await printed(
    result('cut@1', 'unreached', 'gave up'),
    result('cut@2', 'hung', 'waits'),
    result('cut@3', 'crashed', 'Error: boom'),
  );
  expect(text).toContain('standard error of cut@3:\n    Error: boom');
  expect(text).not.toContain('gave up');
});

it('without a crash, it is that of a point that was reached, or else of any', async () => {
  const [unreached, hung] = [result('cut@1', 'unreached', 'gave up'), result('cut@2', 'hung', 'waits')];
  expect(await printed(unreached, hung)).toContain('standard error of cut@2:\n    waits');
  expect(await printed(unreached)).toContain('standard error of cut@1:\n    gave up');
});

it('a secret that one result tells is redacted in the results before it, too', async () => {
  const text = await printed(
    result('cut@1', 'crashed', 'Error: no correct-horse-9'),
    result('cut@2', 'crashed', 'password=correct-horse-9'),
  );
  expect(text).toContain('Error: no [redacted:password:1]');
});

it('a secret that a recorded client says in a name or a URI is in no title', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-'));
  const junit = join(folder, 'sweep.xml');
  const secret = 'q9w8e7r6t5';
  const title = `resources/read "https://h.example/?access_token=${secret}"`;
  const one = result('cut@1', 'crashed', '');
  const told = { ...one, point: { ...one.point, title } };
  const more = {
    leftOut: [{ title, line: 7, why: 'too soon' }],
    points: [told.point, { ...told.point, name: 'cut@2' }],
  };
  const text = await printedWith({ ...more, options: { junit }, interrupted: 'SIGINT' }, told);
  const json = await printedWith({ ...more, options: { json: true }, json: [{ title }] }, told);
  for (const report of [text, json, readFileSync(junit, 'utf8')]) {
    expect(report).toContain('[redacted:access_token:1]');
    expect(report).not.toContain(secret);
  }
  rmSync(folder, { recursive: true });
});

it('has a line on all results first, each reason once, and one below', async () => {
  const waits = { ...result('cut@2', 'hung', ''), why: 'it had not ended' };
  const points = [waits, { ...waits, point: { ...waits.point, name: 'cut@3' } }, { ...waits, why: 'another' }];
  const text = await printed(...points);
  expect(text.match(/it had not ended.*/g)).toEqual(['it had not ended (also 1 point below)']);
  expect(text).toContain('    another\n');
  expect(text).toMatch(/^all of them hung\n\n[\s\S]*\n\nunseen\n$/u);
});

it('names a place once for each reason, with the number of points that are left out there', async () => {
  const call = { title: 'tools/call', line: 7, why: 'too soon' };
  const leftOut = [call, { ...call, title: 'tools/list', line: 5 }, call, { ...call, why: 'never asked' }];
  expect(await printedWith({ leftOut }, result('cut@1', 'crashed', ''))).toContain(
    '\nleft out 2 of tools/call (a.yaml:7), tools/list (a.yaml:5): too soon\nleft out tools/call (a.yaml:7): never asked\n',
  );
});

it('names the first three places of many that are left out for one reason, and says how many there are', async () => {
  const leftOut = [6, 6, 8, 10, 12, 12].map((line) => ({ title: `call of ${line}`, line, why: 'too soon' }));
  expect(await printedWith({ leftOut }, result('cut@1', 'crashed', ''))).toContain(
    '\nleft out 6: 2 of call of 6 (a.yaml:6), call of 8 (a.yaml:8), call of 10 (a.yaml:10) and 2 more, which --json lists: too soon\n',
  );
});
