import type { CommandDefinition } from './command-definition.ts';

/** `mcp-record completion`. */
export const COMPLETION_COMMAND: CommandDefinition = {
  name: 'completion',
  summary: 'print a script for shell completion of commands, options and values',
  examples: ['completion bash > ~/.local/share/bash-completion/completions/mcp-record'],
  describe: (command) => command.argument('<shell>', 'bash, zsh or fish'),
  load: () => import('../commands/completion.ts'),
};
