import type { CommandDefinition } from './command-definition.ts';

/** `mcp-record completion`. */
export const COMPLETION_COMMAND: CommandDefinition = {
  name: 'completion',
  summary: 'print what lets a shell complete commands, options and their values',
  examples: ['completion bash > ~/.local/share/bash-completion/completions/mcp-record'],
  describe: (command) => command.argument('<shell>', 'bash, zsh or fish'),
  load: () => import('../commands/completion.ts'),
};
