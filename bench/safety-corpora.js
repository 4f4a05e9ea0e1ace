/**
 * `npm run safety-corpora`: which texts the `safety` rules of `lint` find, beside the YARA rules of Cisco's mcp-scanner.
 *
 * Without arguments, the texts are descriptions of tools by which scanners of MCP servers are tested. The corpora are clones in the folder that
 * CORPORA names, made there if they are missing. `servers` reads the lists of servers on npm, which are installed in the folder FIELD. The YARA
 * rules need the program `yara`.
 */
import { unsafeTexts } from '../dist/protocol/deceptive-text.js';
import { repository } from './corpora/repositories.js';
import { mcpScannerTexts, vulnerableServerTexts } from './corpora/tool-descriptions.js';
import { foundByYara } from './corpora/yara.js';
import { LISTED, listsOf } from './field/list-servers.js';
import { listedTexts } from './field/listed-texts.js';

const TEXTS = { 'mcp-scanner': mcpScannerTexts, 'damn-vulnerable-mcp-server': vulnerableServerTexts };
const KINDS = ['hidden', 'other', 'harmless'];

const COMMANDS = { corpora, servers };
const [what = 'corpora'] = process.argv.slice(2);
if (!(what in COMMANDS)) {
  console.error(`Say what to read: ${Object.keys(COMMANDS).join(', ')}.`);
  process.exit(2);
}
process.exit((await COMMANDS[what]()) === 0 ? 0 : 1);

/** Prints a row for each corpus and label, and returns how many corpora are missing. */
function corpora() {
  console.log('| corpus | texts | labelled | found by lint | by the YARA rules of mcp-scanner |');
  console.log('|---|---|---|---|---|');
  let missing = 0;
  for (const [name, textsOf] of Object.entries(TEXTS)) {
    try {
      const texts = textsOf(repository(name));
      for (const kind of KINDS) {
        const some = texts.filter((text) => text.kind === kind);
        if (some.length === 0) continue;
        const ours = some.filter(({ text }) => unsafeTexts({ description: text }).length > 0);
        console.log(`| ${name} | ${some.length} | ${kind} | ${ours.length} | ${foundByYara(some)?.length ?? '–'} |`);
        if (process.env.SHOW) show({ name, kind, some, ours });
      }
    } catch (error) {
      missing++;
      console.error(`${name} was left out: ${error.message}`);
    }
  }
  return missing;
}

/** Prints what is missed, and the harmless texts that are found. */
function show({ name, kind, some, ours }) {
  const shown = kind === 'harmless' ? ours : some.filter((text) => !ours.includes(text));
  for (const { name: tool, text } of shown)
    console.error(`${name} ${kind} ${tool}: ${JSON.stringify(text.slice(0, 400))}`);
}

/** Prints a row for each server with a finding, and their total. Returns how many servers cannot be listed. */
async function servers() {
  const listed = [];
  for (const server of LISTED) {
    try {
      listed.push({ title: server.title, results: await listsOf(server) });
    } catch (error) {
      console.error(`${server.title} was left out: ${error.message}`);
    }
  }
  const texts = listed.flatMap(({ title, results }) =>
    results.flatMap((result) => listedTexts(result)).map((text) => ({ title, ...text })),
  );
  const ours = listed.flatMap(({ title, results }) =>
    results.flatMap((result) => unsafeTexts(result, '/result')).map((found) => ({ title, ...found })),
  );
  const yara = foundByYara(texts);
  console.log('| server | texts | found by lint | by the YARA rules of mcp-scanner |');
  console.log('|---|---|---|---|');
  const row = (title, isIn) => {
    const count = (found) => found?.filter(isIn).length ?? '–';
    console.log(`| ${title} | ${count(texts)} | ${count(ours)} | ${count(yara)} |`);
  };
  for (const { title } of listed) {
    const isIn = (found) => found.title === title;
    if (ours.some(isIn) || yara?.some(isIn)) row(title, isIn);
  }
  row(`${listed.length} servers`, () => true);
  for (const { title, path, why } of ours) console.log(`${title} ${path} ${why}`);
  if (process.env.SHOW)
    for (const { title, path, rules, text } of yara ?? [])
      console.error(`${title} ${path} ${rules.join()}: ${JSON.stringify(text.slice(0, 400))}`);
  return LISTED.length - listed.length;
}
