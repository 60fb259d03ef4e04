import type { DataContent, HostedFileContent, UriContent } from '@minne/core';

/**
 * The most that an image costs: OpenAI cuts it to at most 8 tiles of 170 tokens and adds 85
 * (https://platform.openai.com/docs/guides/images-vision), Anthropic to about 1,600
 * (https://docs.anthropic.com/en/docs/build-with-claude/vision).
 */
const imageTokens = 1600;

/** Tokens of a file whose size is up to so many bytes, by size class. */
const sizeClasses: readonly {
  readonly bytes: number;
  readonly audio: number;
  readonly file: number;
}[] = [
  { bytes: 100_000, audio: 1000, file: 2000 },
  { bytes: 1_000_000, audio: 4000, file: 8000 },
  { bytes: 10_000_000, audio: 16_000, file: 32_000 },
  { bytes: Number.POSITIVE_INFINITY, audio: 64_000, file: 64_000 },
];

/** What a file of unknown size is taken for. */
const unknownBytes = 1_000_000;

/** Bytes of text that cost one token at most. */
const bytesOfTextToken = 2;

/**
 * Tokens of an image, a recording, a document: by its kind and the class of its size, since services
 * look at pictures, seconds and pages, never at the Base64. Text files cost what their text does.
 */
export function estimateMediaTokens(content: DataContent | UriContent | HostedFileContent): number {
  const [family = ''] = (content.mediaType ?? '').toLowerCase().split('/');
  if (family === 'image') return imageTokens;
  const bytes = content.type === 'data' ? Math.ceil((content.data.length * 3) / 4) : undefined;
  if (family === 'text' && bytes !== undefined) return Math.ceil(bytes / bytesOfTextToken);
  const size = sizeClasses.find((sizeClass) => (bytes ?? unknownBytes) <= sizeClass.bytes);
  const streamed = family === 'audio' || family === 'video';
  return (streamed ? size?.audio : size?.file) ?? imageTokens;
}
