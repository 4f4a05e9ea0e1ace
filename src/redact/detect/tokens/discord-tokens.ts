import type { SecretMatch } from '../../replace/secret-match.ts';
import { isLeftToChance } from '../plausibility.ts';

/** Discord bot token: number in base64, time and signature. Only the positions of its dots are fixed. */
const TOKEN = /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/;
const NUMBER_LENGTH_MAX = 29;
const DOTS_APART = 7;
const LENGTH_MAX = 60;

/** Finds Discord bot tokens in `text`, by the distance of two dots. */
export function discordTokens(text: string): SecretMatch[] {
  const finds: SecretMatch[] = [];
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    if (text[dot + DOTS_APART] !== '.') continue;
    const from = Math.max(0, dot - NUMBER_LENGTH_MAX);
    const match = TOKEN.exec(text.slice(from, dot + LENGTH_MAX));
    if (match === null || !isLeftToChance(match[0])) continue;
    finds.push({ name: 'discord-token', start: from + match.index, end: from + match.index + match[0].length });
    dot += DOTS_APART;
  }
  return finds;
}
