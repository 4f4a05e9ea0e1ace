import { describe, expect, it } from 'vitest';
import { run } from '../../support/process.ts';

describe('a process that ends with such a mock', () => {
  const MOCK = new URL('../../../dist/adapters/mock.js', import.meta.url).href;
  const inProcess = (code: string) =>
    run({
      command: process.execPath,
      args: ['--input-type=module', '-e', `import { mockServer, tool } from ${JSON.stringify(MOCK)};\n${code}`],
    });
  const UNCALLED = "const server = await mockServer({ handlers: [tool('add', () => 3, { once: true })] });";

  it('keeps an exit status of its own, and says nothing where the outcome was read', async () => {
    expect(await inProcess(`${UNCALLED}\nprocess.exitCode = 3;`)).toMatchObject({ status: 3 });
    expect(await inProcess(`${UNCALLED}\n(await server.finish()).failed;`)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    'void server.finish()',
    'await server.finish()',
    'await server.reset()',
    'console.log(await server.finish())',
  ])('says what failed after %s, which reads nothing', async (line) => {
    const { stderr, status } = await inProcess(`${UNCALLED}\n${line};`);
    const method = line.includes('reset') ? 'reset' : 'finish';
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`read it: const { failures } = await server.${method}().`),
    ]);
  });
});
