import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeNames, removeAfterTests, temporaryFolder } from '../../../support/cassette.ts';
import { type Command, mcpRecord } from '../../../support/command.ts';
import { type Ended, fixture, run } from '../../../support/process.ts';

export const folder: string = temporaryFolder();
export const newFile: () => string = freeNames(folder);
let folders = 0;
/** Cassettes of this module, by their paths. */
const shared = new Map<string, string>();
/** Makes the folder and its shared cassettes again for a test file in the same process, after the first one has removed them at its end. */
const madeFolder = () => {
  if (mkdirSync(folder, { recursive: true }) === undefined) return;
  removeAfterTests(folder);
  for (const [path, text] of shared) writeFileSync(path, text);
};
export const newFolder = (): string => {
  madeFolder();
  return join(folder, `small-${folders++}`);
};
/** Returns the path of a new file with this text. */
export const file = (text: string): string => {
  madeFolder();
  const path = newFile();
  writeFileSync(path, text);
  return path;
};

const sharedFile = (text: string): string => {
  const path = file(text);
  shared.set(path, text);
  return path;
};

const HEAD = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: swept, version: "1" }, instructions: "instructions that no client of these tests reads" } }
- client: { method: notifications/initialized }
`;
const WEATHER = `- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- server: { id: 1, result: { content: [{ type: text, text: "a long text about the weather" }] } }
`;
const more = (from: number, name: string, length = 8) =>
  Array.from(
    { length },
    (_, n) => `- client: { id: ${from + n}, method: tools/call, params: { name: ${name} } }
- server: { id: ${from + n}, result: { content: [{ type: text, text: "" }] } }
`,
  ).join('');
/** A session whose server is swept by clients: the weather, and eight other calls. */
export const recorded: string = sharedFile(HEAD + WEATHER + more(10, 'others'));
export const ofServer: string = sharedFile(HEAD + more(10, 'notes') + more(20, 'notes'));
export const twoOfServer: string = sharedFile(HEAD + more(10, 'notes', 2));
export const threeCities: string = sharedFile(
  HEAD +
    ['Oslo', 'Rome', 'Bonn']
      .map((city, n) => WEATHER.replaceAll('id: 1', `id: ${n + 2}`).replace('Oslo', city))
      .join(''),
);
export const listed: string = sharedFile(`${HEAD}- client: { id: 1, method: tools/list }
- server: { id: 1, result: { tools: [{ name: say, inputSchema: { type: object, properties: { text: { type: string } }, required: [text] }, annotations: { readOnlyHint: true } }] } }
${more(10, 'notes')}`);

export const client = (manner: string): Command => fixture('swept.js', manner, '{server}');
export const server = (...bug: string[]): Command => fixture('swept-server.js', ...bug);
export const shrink = (options: readonly string[], { command, args }: Command): Promise<Ended> =>
  run(mcpRecord('shrink', ...options, '--', command, ...args));
export const play = (scenario: string, { command, args }: Command): Promise<Ended> =>
  run(mcpRecord('run', scenario, '--', command, ...args));
export const PATIENT: readonly string[] = ['--deadline', '60000'];
