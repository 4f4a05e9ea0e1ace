import { expect, it, vi } from 'vitest';
import { reportSweep } from '../../../src/cli/sweep/sweep-report.ts';
import { CLIENT_VERDICTS, type Verdict } from '../../../src/sweep/client/verdict.ts';

const result = (name: string, verdict: Verdict, stderrTail: string) => {
  const [fault = '', message] = name.split('@');
  const point = { name, fault, message: Number(message), line: 3, title: 'initialize' };
  return { point, verdict, duration: 1, stderrTail };
};

async function printed(...results: ReturnType<typeof result>[]): Promise<string> {
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
  });
  spy.mockRestore();
  expect(status).toBe(1);
  return written.join('');
}

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
