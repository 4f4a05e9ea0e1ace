/** The smallest picture: one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** The shortest sound: none. */
export const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (words) => ({ type: 'text', text: words });
export const image = () => ({ type: 'image', data: PIXEL, mimeType: 'image/png' });
export const says = (words) => ({ content: [text(words)] });
