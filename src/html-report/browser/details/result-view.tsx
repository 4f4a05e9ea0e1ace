import { useSignal } from '@preact/signals';
import { parseJson } from '../../../protocol/json-text.ts';
import type { Content } from '../../data/report-data-types.ts';
import { size } from '../format.ts';
import { type Json, messageIn, objectOf } from '../parse-message.ts';
import { Text } from '../text-and-badges.tsx';
import { JsonView } from './json-view.tsx';
import { Markdown, markdownIn } from './markdown.tsx';

/** Image and audio types that the page embeds. None of them runs scripts or loads resources when embedded. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const SOUNDS = /^audio\/[\w.+-]+$/;
const BASE64 = /^[\w+/-]*={0,2}$/;

/** Readable form of a result: its content blocks, messages or resource contents, and its structured content. */
export function ResultView({ content }: { content: Content }) {
  const message = messageIn(content);
  const result = objectOf(message?.result);
  const error = objectOf(message?.error);
  if (error) {
    return (
      <section class="card lint-error">
        <h3>
          Error <Text of={String(error.code)} />
        </h3>
        <p>
          <Text of={String(error.message)} />
        </p>
        {error.data !== undefined && <Value title="Data" value={error.data} />}
      </section>
    );
  }
  if (result === undefined) return null;
  const blocks = [...listOf(result.content), ...listOf(result.contents)];
  const messages = listOf(result.messages);
  return (
    <>
      {result.isError === true && <p class="is-error">The tool says that it failed.</p>}
      {typeof result.description === 'string' && (
        <p class="note">
          <Text of={result.description} />
        </p>
      )}
      {blocks.map((block) => (
        <Block block={block} />
      ))}
      {messages.map(({ role, content: said }) => (
        <>
          <h3 class="role">
            <Text of={String(role)} />
          </h3>
          {listOf(said).map((block) => (
            <Block block={block} />
          ))}
        </>
      ))}
      {result.structuredContent !== undefined && <Value title="Structured content" value={result.structuredContent} />}
    </>
  );
}

/** Returns the JSON objects of a list. A single object counts as a list with one element. */
function listOf(value: unknown): Json[] {
  return (Array.isArray(value) ? value : [value]).map(objectOf).filter((one) => one !== undefined);
}

function Value({ title, value }: { title: string; value: unknown }) {
  return <JsonView title={title} content={{ text: JSON.stringify(value), language: 'json' }} />;
}

function Block({ block }: { block: Json }) {
  const { type, text, data, uri, name, title, description, resource } = block;
  const mimeType = String(block.mimeType ?? '');
  const bytes = data ?? block.blob;
  const inner = objectOf(resource);
  if (inner) return <Block block={inner} />;
  if (typeof text === 'string') return <TextBlock text={text} source={uri} />;
  if (typeof bytes === 'string') return <Media mimeType={mimeType} data={bytes} source={uri} />;
  if (typeof uri === 'string') {
    return (
      <section class="block resource">
        <strong>
          <Text of={String(title ?? name ?? 'resource')} />
        </strong>{' '}
        <code>
          <Text of={uri} />
        </code>
        {typeof description === 'string' && (
          <p>
            <Text of={description} />
          </p>
        )}
        <p class="note">
          <Text of={[type, mimeType].filter((part) => part).join(', ')} />
        </p>
      </section>
    );
  }
  return <Value title={typeof type === 'string' ? type : 'Block'} value={block} />;
}

/** Text block. JSON and Markdown are rendered, with a button that switches to plain text. */
function TextBlock({ text, source }: { text: string; source: unknown }) {
  const isPlain = useSignal(false);
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const markdown = value === undefined ? markdownIn(text) : undefined;
  const form = value !== undefined ? 'JSON' : 'Markdown';
  const isOther = value !== undefined || markdown !== undefined;
  const choice = (name: string, isOn: boolean) => (
    <button type="button" aria-pressed={isOn} onClick={() => (isPlain.value = name === 'Text')}>
      {name}
    </button>
  );
  return (
    <section class="block">
      {(isOther || typeof source === 'string') && (
        <header>
          {typeof source === 'string' && (
            <code>
              <Text of={source} />
            </code>
          )}
          {isOther && (
            <span class="switch" role="group" aria-label="Form of the text">
              {choice(form, !isPlain.value)}
              {choice('Text', isPlain.value)}
            </span>
          )}
        </header>
      )}
      {!isPlain.value && value !== undefined && <JsonView title="Text" content={{ text, language: 'json' }} />}
      {!isPlain.value && markdown && (
        <div class="markdown">
          <Markdown tokens={markdown} />
        </div>
      )}
      {(isPlain.value || !isOther) && (
        <pre>
          <Text of={text} />
        </pre>
      )}
    </section>
  );
}

function Media({ mimeType, data, source }: { mimeType: string; data: string; source: unknown }) {
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  const about = `${mimeType}, ${size(bytes)}`;
  const address = `data:${mimeType};base64,${data}`;
  const isSound = BASE64.test(data) && SOUNDS.test(mimeType);
  return (
    <section class="block">
      {typeof source === 'string' && (
        <code>
          <Text of={source} />
        </code>
      )}
      {BASE64.test(data) && PICTURES.test(mimeType) && <img src={address} alt={about} />}
      {/* biome-ignore lint/a11y/useMediaCaption: what a server sent has none */}
      {isSound && <audio controls src={address} aria-label={about} />}
      <p class="note">
        <Text of={about} />
      </p>
    </section>
  );
}
