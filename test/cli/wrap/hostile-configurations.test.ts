import { describe, expect, it } from 'vitest';
import { serversIn } from '../../../src/cli/wrap/find-servers-in-configuration.ts';

describe('a configuration that is nested too deeply', () => {
  const N = 20_000;
  const key = 'a.'.repeat(1_000);
  it.each([
    ['a.json', '['.repeat(N)],
    ['a.json', '{"a":'.repeat(N)],
    ['a.json', `${'['.repeat(N)}${']'.repeat(N)}`],
    ['a.toml', `a = ${'['.repeat(N)}${']'.repeat(N)}`],
    ['a.toml', `a = ${'{ a = '.repeat(N)}1${' }'.repeat(N)}`],
    ['a.toml', `${key}a = 1`],
    ['a.toml', `[${key}a]`],
    ['a.yaml', '['.repeat(N)],
    ['a.yaml', '- '.repeat(N)],
    ['a.yaml', '{a: '.repeat(N)],
  ])('is refused: %s, %.12s', (file, text) => {
    expect(() => serversIn(text, file)).toThrow(
      expect.objectContaining({
        code: 'WRAP_NOT_A_CONFIGURATION',
        problem: expect.objectContaining({ why: expect.stringContaining('nested deeper than 64 levels') }),
      }),
    );
  });

  it.each([
    ['a.json', `{"a": ${'['.repeat(60)}${']'.repeat(60)}, "mcpServers": {"b": {"command": "c"}}}`],
    ['a.toml', `a = ${'['.repeat(60)}${']'.repeat(60)}\n[mcp_servers.b]\ncommand = "c"\n`],
    ['a.yaml', `a: ${'['.repeat(60)}${']'.repeat(60)}\nmcpServers: {b: {command: c}}\n`],
  ])('is read up to the limit: %s', (file, text) => {
    expect(serversIn(text, file).map(({ name }) => name)).toEqual(['b']);
  });
});

describe('a long configuration', () => {
  it('may have more items than a function takes arguments', () => {
    const text = `a:\n${'- a\n'.repeat(130_000)}mcpServers:\n  b:\n    command: c\n`;
    expect(serversIn(text, 'a.yaml')).toHaveLength(1);
  });

  it('may have many blanks in a line', () => {
    const timeOf = (n: number) => {
      const before = process.cpuUsage();
      serversIn(`{"mcpServers":{"a":{\n${' '.repeat(n)}"command":"c"\n}}}`, 'a.json');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    // A search of the engine that began again at each blank took seconds.
    expect(timeOf(50_000)).toBeLessThan(500);
  });

  it.each([
    ['a.yaml', 'mcpServers:\n  a:\n    command: b\n  a:\n    command: c\n', 'a.yaml:4'],
    ['a.yaml', 'a: b\n---\nc: d\n', 'a.yaml:2'],
    ['a.json', '{"a": 1,\n"b" 2, [}', 'a.json:2'],
  ])('has its first error named: %s, %j', (file, text, place) => {
    expect(() => serversIn(text, file)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ what: `Cannot find servers in ${place}` }) }),
    );
  });
});
