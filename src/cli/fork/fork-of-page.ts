import type { McpRecordError } from '../../kernel/errors.ts';
import type { ForkedSession, RequestedFork } from '../../ui/served-fork/prepare-fork-types.ts';
import { rulesFrom } from '../options/redaction-options.ts';
import { clientBehind } from './client-arrival-messages.ts';
import { forkDiffers, prepareFork } from './prepare-fork.ts';

/** The server that the command line of `ui` names. */
interface ServerOfPage {
  /** Its command. Empty: there is a URL. */
  words: readonly string[];
  http?: string | undefined;
  header: string[];
  ca?: string | undefined;
}

/** As `fork --timeout`. */
const PATIENCE = 10_000;
const NO_RULES = { redactKey: [], redactPointer: [], redactPattern: [], redactAllow: [] };

/** Prepares a fork for a page of `ui`: as the command `fork` without options, but for `withClient`. */
export async function forkOfPage(
  { file, line, withClient, output, say }: RequestedFork,
  { words, http, header, ca }: ServerOfPage,
): Promise<ForkedSession> {
  const options = { ...NO_RULES, header, ...(http !== undefined && { http }), ...(ca !== undefined && { ca }) };
  const fork = await prepareFork({
    ...{ place: { file, line }, words, options, rules: await rulesFrom(options), patience: PATIENCE },
    ...{ ignore: [], named: [], isReportOnly: false, withClient, redact: true, say },
  });
  const place = `${file}:${line}`;
  return {
    prefix: fork.prefix,
    report: fork.report,
    async run(client): Promise<McpRecordError | undefined> {
      const { end, recording, isRefused, behind } = await fork.run(client, output);
      await recording.end(!('error' in end));
      if ('error' in end) return end.error;
      if (isRefused) return forkDiffers(place, ADVICE_IF_DIFFERENT);
      return behind && clientBehind(place, file, behind);
    },
  };
}

const ADVICE_IF_DIFFERENT =
  'The differences are above. If the server has kept the state of an earlier run, in a file or a database, empty it. To leave out what changes in each run, use the command mcp-record fork with --ignore or --ignore-pattern.';
