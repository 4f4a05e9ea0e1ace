import { expect, it } from 'vitest';
import { agentTexts } from '../../site/llms.ts';

const page = (path: string, title: string, description: string) => ({ path, title, description });
const texts = agentTexts({
  name: 'mcp-record',
  summary: 'Records sessions.',
  groups: [
    { title: 'Tutorials', pages: [page('start.md', 'Start', 'Begin here.')] },
    { title: 'Contributing', pages: [page('decisions/1.md', 'One', '')] },
    { title: 'Reference', pages: [page('cli.md', 'CLI', 'All commands.')] },
  ],
  optional: ['Contributing'],
  textOf: (path) => `# ${path}\n\nText.\n`,
});

it('the index has a line for each page, and those of contributors last', () => {
  expect(texts.index).toBe(
    [
      '# mcp-record',
      '',
      '> Records sessions.',
      '',
      '## Tutorials',
      '',
      '- [Start](start.md): Begin here.',
      '',
      '## Reference',
      '',
      '- [CLI](cli.md): All commands.',
      '',
      '## Optional',
      '',
      '- [One](decisions/1.md)',
      '',
    ].join('\n'),
  );
});

it('the full text has the pages of users with their paths', () => {
  expect(texts.full).toBe('<!-- start.md -->\n\n# start.md\n\nText.\n\n<!-- cli.md -->\n\n# cli.md\n\nText.\n');
});
