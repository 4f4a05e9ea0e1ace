import type { Item } from '../../data/report-data-types.ts';
import { messageIn, objectOf, resultIn } from '../parse-message.ts';
import { Text } from '../text-and-badges.tsx';
import { offeredTools } from '../tools/tool-stats.ts';
import { JsonView } from './json-view.tsx';
import { violations } from './validate-against-schema.ts';

const VIOLATIONS_MAX = 50;

/** Input and output schema of a tool, each with the violations found in the selected call. */
export function SchemaView({ call, items }: { call: Item; items: readonly Item[] }) {
  const tool = offeredTools(items)?.get(call.name ?? '');
  if (tool === undefined)
    return <p class="note">No list of the server, as far as the page has it, offers this tool.</p>;
  const args = objectOf(messageIn(call.content)?.params)?.arguments ?? {};
  const result = resultIn(items[call.answer ?? -1]?.content);
  const output = result?.isError === true ? undefined : result?.structuredContent;
  return (
    <>
      <Checked title="Input schema" schema={tool.inputSchema} what="The arguments" value={args} />
      {tool.outputSchema !== undefined && (
        <Checked title="Output schema" schema={tool.outputSchema} what="The structured content" value={output} />
      )}
    </>
  );
}

interface CheckedProps {
  title: string;
  schema: unknown;
  /** Names the value in a sentence. */
  what: string;
  /** Undefined: the call has no such value. */
  value: unknown;
}

function Checked({ title, schema, what, value }: CheckedProps) {
  const checked = objectOf(schema);
  const found = checked && value !== undefined ? violations(checked, value) : undefined;
  const hasPatterns = /"(?:pattern|format)":/.test(JSON.stringify(schema) ?? '');
  return (
    <>
      {found?.length === 0 && (
        <p class="fine">
          ✓ {what} fit it{hasPatterns && ', but for patterns and formats, which are not checked'}.
        </p>
      )}
      {found && found.length > 0 && (
        <section class="card lint-error">
          <h3>{what} violate it</h3>
          {found.slice(0, VIOLATIONS_MAX).map(({ instanceLocation, error }) => (
            <p>
              <code>
                <Text of={instanceLocation.replace(/^#/, '') || '/'} />
              </code>{' '}
              <Text of={error} />
            </p>
          ))}
        </section>
      )}
      {checked && value !== undefined && found === undefined && <p class="note">It cannot be checked here.</p>}
      <JsonView title={title} content={{ text: JSON.stringify(schema), language: 'json' }} />
    </>
  );
}
