import type { Command } from 'commander';
import { loadCassette } from '../../../cassette/read/load-cassette.ts';
import { protocolCoverage } from '../../../lint/protocol-coverage/count-coverage.ts';
import { coverageText } from '../../../lint/protocol-coverage/coverage-text.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { findCassettes } from '../../cassette-files/find-cassette-files.ts';
import { EXIT, printJson, printLines, say } from '../../io/output.ts';

interface Options {
  json?: boolean;
}

/** Runs `mcp-record coverage FILE…`: prints which parts of the protocol cassettes exercise, by revision. */
export async function run(command: Command): Promise<number> {
  const { json = false } = command.opts<Options>();
  const files = new Set(findCassettes(command.args));
  const cassettes = [...files].map((file) => loadCassette(file));
  for (const { warnings } of cassettes) for (const warning of warnings) say(warning);
  const coverage = protocolCoverage(cassettes);
  await (json ? printJson(coverage) : printLines(coverageText(coverage).map(printable)));
  return EXIT.ok;
}
