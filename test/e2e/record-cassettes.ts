/** `npm run cassettes`: records each session in `cassettes/` anew, with the tool itself, real servers and real clients. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { recorded } from '../support/command.ts';
import { NOTES } from './session/file-steps.ts';
import { runSession } from './session/run.ts';
import { filed, others, whole } from './session/scenarios.ts';
import { strangers } from './session/strangers.ts';

const root = join(import.meta.dirname, '..', '..');
const fresh = mkdtempSync(join(tmpdir(), 'mcp-record-cassettes-'));

for (const { name, server, connect, steps } of [whole, ...others, ...filed]) {
  console.log(name);
  rmSync(NOTES, { recursive: true, force: true });
  mkdirSync(NOTES);
  const peer = await connect(recorded(join(fresh, `${name}.yaml`), server));
  await runSession(
    peer,
    steps.filter(({ large }) => !large),
  );
}
rmSync(NOTES, { recursive: true });
for (const { name, server, ask } of strangers) {
  console.log(name);
  await ask(recorded(join(fresh, `${name}.yaml`), server));
}

const cassettes = readdirSync(fresh);
for (const cassette of cassettes) {
  const text = readFileSync(join(fresh, cassette), 'utf8');
  for (const place of [root, homedir(), hostname()]) {
    // Alone: in base64, or as a part of a word, it means nothing.
    const alone = new RegExp(`(?<![\\w+/])${place.replaceAll(/[.+]/g, '\\$&')}(?!\\w)`);
    if (alone.test(text)) throw new Error(`${join(fresh, cassette)} holds "${place}", which is nobody else's business`);
  }
}
mkdirSync(join(root, 'cassettes'), { recursive: true });
for (const cassette of cassettes) copyFileSync(join(fresh, cassette), join(root, 'cassettes', cassette));
rmSync(fresh, { recursive: true });
console.log(`${cassettes.length} cassettes in cassettes/`);
