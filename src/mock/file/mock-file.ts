import { readYamlFile } from '../../cassette/read/yaml/located-data.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { type FieldProblem, fieldProblem } from '../../kernel/validate-fields.ts';
import type { Handler } from '../handler.ts';
import type { ServerDescription } from '../server/server-fallback-answers.ts';
import { MOCK_FILE, SERVER } from './mock-file-keys.ts';
import { type WrittenMockContext, writtenHandlers } from './written-handlers.ts';

/** A mock server described in a file, as options of `mockServer`. */
export interface MockFile extends ServerDescription {
  handlers: Handler[];
}

/** Dependencies of a mock file. */
export interface MockFileOptions {
  /** Clock for delays and `{{now}}`. Default: the system clock. */
  clock?: Clock;
}

/**
 * Reads a mock file, as options of `mockServer`: `mockServer({ ...readMockFile('weather.mock.yaml'), over: 'http' })`.
 * @throws McpRecordError MOCK_FILE_UNREADABLE, MOCK_FILE_BAD, with file and line
 */
export function readMockFile(file: string, { clock = systemClock }: MockFileOptions = {}): MockFile {
  const data = readYamlFile(file, {
    code: 'MOCK_FILE_UNREADABLE',
    what: `Cannot read the mock ${file}`,
    next: (place) =>
      place
        ? adviceFor(place.text ?? '')
        : `Name a YAML file of a mock. mcp-record new -o ${file} -- COMMAND writes one.`,
  });
  const found = writtenMock(data.value, { clock, placeOf: (path) => placeText(file, data.placeOf(path).line) });
  if ('handlers' in found) return found;
  const { path, why, next } = found;
  throw new McpRecordError({
    code: 'MOCK_FILE_BAD',
    what: `Cannot use the mock ${file}`,
    why,
    next,
    place: data.placeOf(path),
  });
}

function placeText(file: string, line: number): string {
  return `${file}:${line}`;
}

/** Returns the mock server that the value of a mock file describes, or the first problem of the value. */
export function writtenMock(value: unknown, context: WrittenMockContext): MockFile | FieldProblem {
  const problem = fieldProblem(value, MOCK_FILE, []);
  if (problem) return problem;
  const { server = {}, ...lists } = value as { server?: unknown; [list: string]: unknown };
  const inServer = fieldProblem(server, SERVER, ['server']);
  if (inServer) return inServer;
  const handlers = writtenHandlers(lists, context);
  if (!Array.isArray(handlers)) return handlers;
  const { instructions, capabilities, ...info } = server as Record<string, unknown>;
  const given = { instructions, capabilities };
  const described = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined));
  return { ...described, serverInfo: { name: 'mock', version: '0.0.0', ...info }, handlers };
}

/** Returns the advice for a line that is not valid YAML. */
function adviceFor(line: string): string {
  if (line.includes('{{')) return 'Put a text with a template into quotes: "{{/params/arguments/city}}".';
  return 'Mend the line: docs/mock-file.md shows how a mock is written.';
}
