import type { MarkdownRenderer } from 'vitepress';

/** HTML that stays: breaks, comments, and anchors of the API reference. */
const MARKUP = /^(?:<br ?\/?>|<!--[\s\S]*?-->|<a id="[\w-]+">|<\/a>)\s*$/;

/**
 * Makes a page mean what it means on a code host. VitePress compiles pages as templates of Vue, where `{{ }}` is an expression
 * and an unknown element is a component.
 */
export function literalText(md: MarkdownRenderer): void {
  md.disable('emoji', true);
  const { text, code_inline } = md.renderer.rules;
  md.renderer.rules.text = (...args) => withoutTemplates(text!(...args));
  md.renderer.rules.code_inline = (...args) => withoutTemplates(code_inline!(...args));
  for (const rule of ['html_inline', 'html_block']) {
    md.renderer.rules[rule] = (tokens, index) => {
      const { content } = tokens[index]!;
      return MARKUP.test(content) ? content : withoutTemplates(md.utils.escapeHtml(content));
    };
  }
}

function withoutTemplates(html: string): string {
  return html.replaceAll('{{', '&#123;&#123;');
}
