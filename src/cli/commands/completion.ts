import type { Command } from 'commander';
import { FORMATS } from '../../convert/formats.ts';
import { FAULTS } from '../../faults/fault-table.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { bashScript } from '../completion/bash.ts';
import { type CommandLineModel, commandLineModel, type Words } from '../completion/command-line-model.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';
import { EXIT, print } from '../io/output.ts';
import { CLIENT_NAMES } from '../wrap/client-names.ts';

const SHELLS: Readonly<Record<string, (syntax: CommandLineModel) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const WORDS: Words = {
  options: {
    fault: [...FAULTS.keys()],
    faults: [],
    plan: ['server', 'client'],
    from: FORMATS.from,
    to: FORMATS.to,
    client: CLIENT_NAMES,
  },
  commands: { completion: Object.keys(SHELLS) },
};

/** Runs `mcp-record completion SHELL`: prints the shell's completion script, derived from `--help`. */
export async function run(command: Command): Promise<number> {
  const name = command.args[0]!;
  const script = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (script === undefined) throw unknownShell(name);
  await print(script(commandLineModel(command.parent!, WORDS)));
  return EXIT.ok;
}

function unknownShell(name: string): McpRecordError {
  const known = Object.keys(SHELLS);
  const meant = didYouMean(name, known);
  return new McpRecordError({
    code: 'USAGE_UNKNOWN_SHELL',
    what: `Cannot complete in "${name}"`,
    why: `there are scripts for ${known.join(', ')}`,
    next: meant ? `Did you mean "${meant}"?` : 'Name one of these.',
  });
}
