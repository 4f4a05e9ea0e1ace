import type { Command } from 'commander';
import { OWNER_ONLY, writeNew } from '../../../cassette/write/atomic-write.ts';
import { systemClock as clock, type Milliseconds } from '../../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { exampleMock } from '../../../mock/file/mock-file-from-server.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import { createRedactor } from '../../../redact/redactor.ts';
import { requestServerLists, type ServerLists } from '../../../verify/run/request-server-lists.ts';
import { EXIT, printDocument, say } from '../../io/output.ts';
import { liveServerConnector } from '../../options/connect-live-server.ts';
import { faultLayerFor } from '../../options/fault-layer.ts';
import { givenHeaders } from '../../options/header-options.ts';
import { type RedactionOptions, rulesFrom } from '../../options/redaction-options.ts';

interface Options extends RedactionOptions {
  output?: string;
  http?: string;
  header: string[];
  ca?: string;
}

const PATIENCE: Milliseconds = 10_000;

/** Runs `mcp-record new -o FILE -- COMMAND…` or `--http URL`: writes a mock file from the lists of a live server. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { output } = options;
  const rules = await rulesFrom(options);
  const given = await givenHeaders(options.http, options.header, process.env);
  const start = liveServerConnector(
    command.args,
    { ...options, headers: given.headers, command: 'new' },
    await faultLayerFor(undefined),
  );
  const lists = await new Promise<ServerLists>((resolve, reject) => {
    requestServerLists({ connect: () => start({ patience: PATIENCE, failed: reject }), clock }).then(resolve, reject);
  });
  const redact = createRedactor({ env: process.env, ...given, ...rules });
  const safe = redact.json(new JsonText(JSON.stringify(lists))).value as ServerLists;
  const { text, withoutExample, shortcomings } = exampleMock(safe);
  for (const name of withoutExample) say(`No example fits the output schema of "${name}": write its answer by hand.`);
  for (const sentence of shortcomings) say(sentence);
  if (output === undefined) await printDocument(text);
  else write(output, text);
  const { tools, resources, prompts } = lists;
  const counted = [
    formatCount(tools.length, 'tool'),
    formatCount(resources.length, 'resource'),
    formatCount(prompts.length, 'prompt'),
  ];
  if (output !== undefined) say(`wrote ${output}: ${counted.join(', ')}. Serve it: mcp-record mock ${output}`);
  // Child processes of the server may hold its streams open, and must not keep this process alive.
  process.exit(EXIT.ok);
}

function write(file: string, text: string): void {
  try {
    writeNew(file, text, OWNER_ONLY);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new McpRecordError({
      code: 'USAGE_CANNOT_WRITE',
      what: `Cannot write the mock ${file}`,
      why: isThere ? 'the file exists, and hand-written files are never overwritten' : messageOf(error),
      next: isThere ? 'Name another file with -o, or move this one away.' : 'Name a file in a folder that exists.',
      cause: error,
    });
  }
}
