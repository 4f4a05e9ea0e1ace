import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS, program } from '../../src/cli/main.ts';

const root = join(import.meta.dirname, '..', '..');

/** The module of a command. */
function fileOf(command: string): string {
  const folder = join(root, 'src', 'cli', 'commands');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return join(folder, paths.find((path) => basename(path) === `${command}.ts`)!);
}

/** The modules that a module may load, itself among them. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imports = /(?:^|\n)(?:import|export) (?!type )[^;]*?from '(\..*?)'|\bimport\('(\..*?)'\)/g;
  for (const [, named, late] of text.matchAll(imports)) loadedBy(join(file, '..', named ?? late!), seen);
  return seen;
}

/** Literals that are sentences, with the options that they name and where they stand. */
function hintsIn(file: string): { flag: string; place: string; text: string }[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const literals = [...code.matchAll(/'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g)];
  return literals
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => text.includes(' '))
    .flatMap((text) =>
      [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => ({
        flag,
        text,
        place: relative(root, file).replaceAll(sep, '/'),
      })),
    );
}

/** Whether a sentence says itself whose option it is. */
const namesAnother = (text: string, verb: string) =>
  COMMANDS.some(({ name }) => name !== verb && new RegExp(`mcp-record ${name}\\b|\\bof ${name}\\b`).test(text)) ||
  text.includes('git ');

/** What describes options, or writes dashes of another language, and is in no message. */
const DESCRIBES =
  /^src\/(?:cli\/(?:command-definitions\/|completion\/|options\/(?:option-conflicts|fault-options|redaction-options)\.ts$)|convert\/to\/mermaid)/;

/** Modules that come with what a command needs, and that are not reached from it. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  // It connects to a mock server of its own, and listens where any port is free.
  sweep: [
    'src/transports/http/proxy/error-response.ts',
    'src/transports/http/server/listen-error.ts',
    'src/replay/match/near-miss.ts',
    'src/faults/rules/parse-fault-rules.ts',
  ],
  // The same. It runs one program at a time, and all of a sweep's points are its own. It has no --ca.
  shrink: [
    'src/cli/options/trusted-certificates.ts',
    'src/transports/http/proxy/error-response.ts',
    'src/transports/http/server/listen-error.ts',
    'src/replay/match/near-miss.ts',
    'src/faults/rules/parse-fault-rules.ts',
    'src/sweep/client/verdict.ts',
    'src/cli/sweep/sweep-options.ts',
  ],
  // A scenario has its rules in a file, and its wording of a finding takes the flag out. One with a point has keys in
  // place of options: these are never given, or `play-scenario-point.ts` gives other advice.
  run: [
    'src/cli/options/header-options.ts',
    'src/cli/options/ignore-options.ts',
    'src/cli/options/restore-secrets-from-env.ts',
    'src/cli/options/seed-option.ts',
    'src/cli/sweep/find-sweep-point.ts',
    'src/cli/sweep/orders/order-point.ts',
    'src/cli/sweep/server-target.ts',
    'src/cli/sweep/sweep-options.ts',
    'src/cli/sweep/swept-faults.ts',
    'src/faults/rules/parse-fault-rules.ts',
    'src/modes/reword-ignore-advice.ts',
    'src/replay/match/near-miss.ts',
    'src/sweep/client/verdict.ts',
    'src/sweep/server/inputs/sweep-inputs.ts',
    'src/sweep/shrink/failing-client.ts',
    'src/transports/http/proxy/error-response.ts',
    'src/transports/http/server/listen-error.ts',
    'src/verify/compare/classify-http-failure.ts',
  ],
  // The proxy of its faults listens where any port is free, and only it connects there.
  verify: ['src/transports/http/server/listen-error.ts', 'src/transports/http/proxy/error-response.ts'],
  // Its pages verify without options of comparison, and its mock servers listen where any port is free.
  ui: [
    'src/transports/http/proxy/error-response.ts',
    'src/replay/match/near-miss.ts',
    'src/modes/reword-ignore-advice.ts',
    // Where a fork names options, its page says that they are those of the command.
    'src/cli/fork/client-arrival-messages.ts',
    'src/cli/io/missing-rules-advice.ts',
    'src/cli/options/restore-secrets-from-env.ts',
    'src/cli/verify/placeholder-advice.ts',
    'src/fork/changed-id-notes.ts',
    'src/fork/client-taking-over.ts',
    'src/fork/prefix-server.ts',
    'src/record/redact-file/missing-rules-error.ts',
    'src/record/summary/redacted-numbers.ts',
    'src/text-report/pass-tolerated-steps.ts',
  ],
  // It ends its recording as the command record does, and takes nothing else of it. It names itself where changes are tolerated.
  fork: [
    // It shares what plays the server with replay, and has no option for differences.
    'src/cli/commands/mock-servers/on-difference-option.ts',
    // It shares the end of a recording with record, and no option that sends traces.
    'src/traces/otlp-target.ts',
    'src/text-report/pass-tolerated-steps.ts',
    'src/transports/http/proxy/error-response.ts',
    'src/cli/options/delay-precision-option.ts',
    'src/cli/options/seed-option.ts',
    'src/cli/commands/live/record-http.ts',
    'src/cli/record/prepare-http-recording.ts',
    'src/transports/http/forward-proxy/certificate-authority.ts',
    'src/transports/http/forward-proxy/named-hosts.ts',
    'src/transports/http/forward-proxy/tunnel-errors.ts',
    'src/cli/record/tool-calls-option.ts',
    'src/cli/record/restart-occasions.ts',
    'src/cli/record/restarted-server.ts',
    'src/cli/record/externally-restarted-server.ts',
  ],
  // It listens nowhere.
  load: ['src/transports/http/proxy/error-response.ts', 'src/transports/http/server/listen-error.ts'],
  // Its own server is behind the proxy of its faults.
  replay: ['src/transports/http/proxy/error-response.ts'],
  // Its answers are in a mock file, and no cassette has requests that one could be near to. Its control connects to its own server.
  mock: [
    // The option for a refused client has two texts, one of them for replay.
    'src/cli/commands/mock-servers/on-difference-option.ts',
    'src/replay/match/near-miss.ts',
    'src/modes/reword-ignore-advice.ts',
    'src/transports/http/proxy/error-response.ts',
  ],
  // With --lists, it plays a client of its own to a server.
  record: ['src/replay/match/near-miss.ts'],
  // Its titles name other commands.
  check: ['src/cli/check/planned-checks.ts'],
  // It asks for lists, and compares nothing.
  new: [
    'src/replay/match/near-miss.ts',
    'src/transports/http/proxy/error-response.ts',
    'src/transports/http/server/listen-error.ts',
  ],
  // It writes a diagram, and reads no recording of another tool.
  show: ['src/convert/converter-types.ts'],
  // It names the formats, and reads none.
  completion: ['src/convert/converter-types.ts'],
};

describe('a hint on the command line', () => {
  it.each(COMMANDS.map(({ name }) => name))('names options that %s has', (verb) => {
    const { options } = program().commands.find((one) => one.name() === verb)!;
    const known = new Set(['--help', ...options.map(({ long }) => long)]);
    const modules = loadedBy(fileOf(verb));
    const wrong = [...modules]
      .flatMap((file) => hintsIn(file))
      .filter(
        ({ flag, text, place }) =>
          !known.has(flag) && !namesAnother(text, verb) && !DESCRIBES.test(place) && !UNREACHED[verb]?.includes(place),
      )
      .map(({ flag, text, place }) => `${place}: ${flag} in: ${text}`);
    expect(wrong).toEqual([]);
  });
});
