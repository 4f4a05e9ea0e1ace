import type { Verb } from './command-definition.ts';

/** Verbs about the command line itself. */
export const OWN_VERBS: readonly Verb[] = [
  {
    name: 'completion',
    summary: 'print what lets a shell complete verbs, options and their values',
    examples: ['completion bash > ~/.local/share/bash-completion/completions/mcp-record'],
    describe: (command) => command.argument('<shell>', 'bash, zsh or fish'),
    load: () => import('../commands/completion.ts'),
  },
];
