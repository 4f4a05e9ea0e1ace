import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS, program } from '../../../src/cli/main.ts';
import { OPTION_RULES, requireMeaning } from '../../../src/cli/options/option-conflicts.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

/** The command of a command as the command line `words` sets it. */
function parsed(verb: string, words: readonly string[]): Command {
  const command = program().commands.find((one) => one.name() === verb)!;
  command.action(() => {});
  const operands = command.registeredArguments.filter(({ required }) => required).map((one) => one.name());
  const mandatory = ['record', 'fork', 'shrink'].includes(verb) && !words.includes('--output') ? ['--output', 'o'] : [];
  command.parse([...mandatory, ...words, ...operands], { from: 'user' });
  return command;
}

/** An option with a value, if it takes one. */
function written(verb: string, name: string): string[] {
  const option = program()
    .commands.find((one) => one.name() === verb)!
    .options.find(({ long }) => long === name)!;
  return option.required ? [name, 'value'] : [name];
}

/** What an option needs for other reasons. */
function otherNeeds(verb: string, option: string, without: readonly string[]): string[] {
  const rules = OPTION_RULES.filter(({ commands, options }) => commands.includes(verb) && options.includes(option));
  return rules.flatMap(({ needs = [] }) => (needs.join() === without.join() ? [] : needs.slice(0, 1)));
}

const cases = OPTION_RULES.flatMap(({ commands, options, needs, excludes }) =>
  commands.flatMap((verb) =>
    options.flatMap((option) => [
      ...(needs ? [{ verb, option, others: needs, how: 'without' as const }] : []),
      ...(excludes ?? []).map((other) => ({ verb, option, others: [other], how: 'beside' as const })),
    ]),
  ),
);

describe('an option without a meaning', () => {
  it.each(cases)('is refused: $verb $option $how $others', ({ verb, option, others, how }) => {
    const context = otherNeeds(verb, option, how === 'without' ? others : []);
    const other = how === 'beside' ? others.flatMap((name) => written(verb, name)) : [];
    const words = [...written(verb, option), ...context.flatMap((name) => written(verb, name)), ...other];
    const names = new RegExp(
      `Cannot use ${option}: .*${others.join(' or ')}[ \\S]* \\[USAGE_OPTION_WITHOUT_MEANING\\]`,
      's',
    );
    expect(() => requireMeaning(parsed(verb, words))).toThrow(names);
  });

  it.each(cases.filter(({ how }) => how === 'without'))(
    'is taken with what it needs: $verb $option with $others',
    ({ verb, option, others }) => {
      for (const other of others) {
        const needed = [...otherNeeds(verb, option, others), ...otherNeeds(verb, other, [])];
        const context = needed.flatMap((name) => written(verb, name));
        const words = [...written(verb, option), ...context, ...written(verb, other)];
        expect(() => requireMeaning(parsed(verb, words))).not.toThrow();
      }
    },
  );

  it('is in the table if its help says what it needs', () => {
    const needy = COMMANDS.flatMap(({ name }) => {
      const { options } = program().commands.find((one) => one.name() === name)!;
      return options
        .filter(({ description }) => /^with (?:--server and )?--http/.test(description))
        .map(({ long }) => `${name} ${long}`);
    });
    const known = OPTION_RULES.filter(({ needs }) => needs?.includes('--http')).flatMap(({ commands, options }) =>
      commands.flatMap((verb) => options.map((option) => `${verb} ${option}`)),
    );
    expect(needy.sort()).toEqual(known.sort());
  });

  it('ends replay at once, and says which option is missing', async () => {
    const { stderr, stdout, status } = await run(
      mcpRecord('replay', '--listen', '127.0.0.1:0', 'cassettes/memory.yaml'),
    );
    expect([stderr, stdout.length, status]).toEqual([
      expect.stringContaining('Cannot use --listen: it has a meaning only with --http'),
      0,
      2,
    ]);
    expect(stderr).toContain('Add --http, or leave --listen out.');
  });

  it('is refused where convert is given rules for a cassette, which it does not redact', async () => {
    const words = ['convert', '--redact-key', 'name', '--to', 'ndjson', 'cassettes/memory.yaml', '-'];
    const { stderr, stdout, status } = await run(mcpRecord(...words));
    expect([status, stdout.length]).toEqual([2, 0]);
    expect(stderr).toContain('[USAGE_OPTION_WITHOUT_MEANING]');
    expect(stderr).toContain('mcp-record redact cassettes/memory.yaml');
  });
});
