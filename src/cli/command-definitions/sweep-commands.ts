import type { Command } from 'commander';
import { withRedactionOptions } from '../options/redaction-options.ts';
import { type CommandDefinition, collect, ignorePatternOption } from './command-definition.ts';

/** Commands that run a client, or a server, once for each fault at each message. */
export const SWEEP_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'sweep',
    summary:
      'run a client, or a server, once for every fault at every message, and say what hangs, crashes, leaks or lies',
    examples: [
      'sweep cassette.yaml -- node client.js {server}',
      'sweep --http cassette.yaml -- node client.js {url}',
      'sweep --server cassette.yaml -- node server.js',
      'sweep --server --http cassette.yaml http://127.0.0.1:3000/mcp',
      'sweep --server --inputs cassette.yaml -- node server.js',
      'sweep --server --orders 100 cassette.yaml -- node server.js',
    ],
    describe: (command) =>
      withServerSweepOptions(
        command
          .argument('<file>', 'cassette')
          .argument(
            '<command...>',
            'the client: {server} in it becomes the words of the mock server’s command line; with --http {url} its URL; with --server the server, or its URL',
          )
          .option('--server', 'sweep the server: the recorded client misbehaves at each of its messages')
          .option('--http', 'the client connects to the mock server, or we to the server, over Streamable HTTP')
          .option(
            '--inputs',
            'with --server: call its tools with arguments that their schemas forbid, and with edge values that they allow',
          )
          .option('--destructive', 'with --inputs: call the tools that may change or remove something, too')
          .option('--pairs <n>', 'two faults in each run: so many pairs, at most 100000')
          .option(
            '--orders <n>',
            'no fault, but other orders of the messages, with --server those of the client: so many of those that causality allows',
          )
          .option('--seed <number>', 'with --pairs, --orders or --inputs: equal seeds draw the same; 1 by default')
          .option(
            '--faults <names>',
            'which faults, or with --inputs kinds of arguments, separated by commas; all; -cut,-exit: all but these',
          )
          .option(
            '--point <name>',
            'only this point, such as cut@3, drop@3+cut@5 or order@4,3 (repeatable)',
            collect,
            [],
          )
          .option('--shard <i/n>', 'only the i-th of n parts')
          .option('--jobs <n>', 'how many runs at once; by default one for each processor, and more that only wait')
          .option(
            '--deadline <ms>',
            'how long one run may take, or with --server an answer: by default ten times one without faults, at least 2000',
          ),
      )
        .option('--json', 'the results as JSON')
        .option('--junit <path>', 'write the results as JUnit XML'),
    load: () => import('../commands/live/sweep.ts'),
  },
  {
    name: 'shrink',
    summary: 'make the cassette of a failure of sweep small',
    examples: ['shrink --point stall@3 -o small cassette.yaml -- node client.js {server}'],
    describe: (command) =>
      withServerSweepOptions(
        withRedactionOptions(command)
          .argument('<file>', 'cassette, or a scenario with a point')
          .argument('<command...>', 'the client or server, as for sweep')
          .requiredOption('-o, --output <folder>', 'new folder')
          .option(
            '--point <name>',
            'the point that fails, such as cut@3 or drop@3+cut@5 (default with --server: the first wrong answer)',
          )
          .option('--faults <names>', 'parameters of its fault')
          .option('--budget <limit>', 'time, or number of runs', '60s')
          .option('--server', 'the server is tested')
          .option('--http', 'over Streamable HTTP')
          .option('--inputs', 'with --server: the point is a kind of arguments')
          .option('--destructive', 'with --inputs: call such a tool')
          .option('--seed <number>', 'with --inputs: the seed of the sweep')
          .option('--deadline <ms>', 'as for sweep'),
      ),
    load: () => import('../commands/live/shrink.ts'),
  },
];

/** Adds the options of a server under test: which answers are compared, and what its client sends. */
function withServerSweepOptions(command: Command): Command {
  return command
    .option('--ignore <pointer>', 'with --server: do not compare this place (repeatable)', collect, [])
    .option(...ignorePatternOption('any text', 'with --server: '))
    .option(
      '--header <field>',
      'with --server and --http: a header of every request, such as "Authorization: Bearer env:TOKEN" (repeatable)',
      collect,
      [],
    )
    .option('--other-requests', 'with --server and --http: send requests that MCP does not need, too')
    .option(
      '--secrets-from-env <names>',
      'with --server: comma-separated variables that replace the placeholders of the same name',
    );
}
