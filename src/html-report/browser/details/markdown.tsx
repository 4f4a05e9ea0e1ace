import { Lexer, type Token, type Tokens } from 'marked';
import type { VNode } from 'preact';
import { Text } from '../text-and-badges.tsx';

/** A longer text stays text: patterns of the lexer take long on some that were made for it. */
const LENGTH_MAX = 32 * 1024;
/** Deeper nesting than anybody writes. */
const DEPTH_MAX = 20;

const FORMATTED = new Set(['heading', 'list', 'code', 'table', 'blockquote', 'hr', 'strong', 'em', 'codespan', 'link']);

/** Returns the Markdown of a text as tokens. Undefined: it is plain, or too long. */
export function markdownIn(text: string): Token[] | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const tokens = new Lexer().lex(text);
  return tokens.some(isFormatted) ? tokens : undefined;
}

function isFormatted(token: Token): boolean {
  if (FORMATTED.has(token.type)) return true;
  return token.type === 'paragraph' && (token.tokens ?? []).some(({ type }) => FORMATTED.has(type));
}

/** Markdown as elements, never as HTML: markup in it is text, and no link leads anywhere. */
export function Markdown({ tokens, depth = 0 }: { tokens: readonly Token[] | undefined; depth?: number }): VNode {
  if (depth > DEPTH_MAX) return <Text of={(tokens ?? []).map(({ raw }) => raw).join('')} />;
  return <>{(tokens ?? []).map((token) => elementOf(token as Tokens.Generic, depth + 1))}</>;
}

function elementOf(token: Tokens.Generic, depth: number) {
  const inner = () => <Markdown tokens={token.tokens} depth={depth} />;
  switch (token.type) {
    case 'space':
      return null;
    case 'heading':
      return <p class="heading">{inner()}</p>;
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <s>{inner()}</s>;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>;
    case 'codespan':
      return (
        <code>
          <Text of={token.text} />
        </code>
      );
    case 'code':
      return (
        <pre>
          <Text of={token.text} />
        </pre>
      );
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />;
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />;
    case 'link':
    case 'image':
      return (
        <span class="link">
          {token.type === 'link' ? inner() : <Text of={token.text} />}{' '}
          <code>
            <Text of={token.href} />
          </code>
        </span>
      );
    default:
      return token.tokens && token.type === 'text' ? inner() : <Text of={token.text ?? token.raw} />;
  }
}

function List({ list: { ordered, start, items }, depth }: { list: Tokens.List; depth: number }) {
  const rows = items.map(({ tokens }) => (
    <li>
      <Markdown tokens={tokens} depth={depth} />
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>;
}

function Table({ table: { header, rows }, depth }: { table: Tokens.Table; depth: number }) {
  return (
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }) => (
            <th scope="col">
              <Markdown tokens={tokens} depth={depth} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map(({ tokens }) => (
              <td>
                <Markdown tokens={tokens} depth={depth} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
