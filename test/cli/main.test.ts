import { describe, expect, it } from 'vitest';
import { COMMANDS, program } from '../../src/cli/main.ts';

const names = (asked?: string) => program(asked).commands.map((command) => command.name());

describe('the command line', () => {
  it('has every verb, in the order of its help', () => {
    expect(names()).toEqual(COMMANDS.map(({ name }) => name));
  });

  it('has the verb alone that a program waits for', () => {
    expect(names('record')).toEqual(['record']);
  });

  it.each(['--help', '--version', 'help', 'recrod', 'completion', 'show'])('has every verb for %s', (asked) => {
    expect(names(asked)).toEqual(names());
  });
});
