import type { DataContent, HostedFileContent, UriContent } from '@minne/core';

/**
 * What a large image costs: OpenAI cuts it to at most 8 tiles of 170 tokens and adds 85
 * (https://platform.openai.com/docs/guides/images-vision), Anthropic scales it to about 1,600
 * (https://docs.anthropic.com/en/docs/build-with-claude/vision). Models that count patches by a factor,
 * and those that take images unscaled, can take more: count for those with a counter of your own.
 */
const imageTokens = 1600;

/**
 * Tokens of a file whose size is up to so many bytes, by size class. Sound: 32 tokens a second
 * (https://ai.google.dev/gemini-api/docs/tokens) at 64 kbit/s. Documents: 1,500 to 3,000 tokens a page
 * (https://docs.anthropic.com/en/docs/build-with-claude/pdf-support), a page to 300 kB.
 */
const sizeClasses: readonly {
  readonly bytes: number;
  readonly audio: number;
  readonly file: number;
}[] = [
  { bytes: 100_000, audio: 1000, file: 3000 },
  { bytes: 1_000_000, audio: 4000, file: 10_000 },
  { bytes: 10_000_000, audio: 40_000, file: 40_000 },
  { bytes: Number.POSITIVE_INFINITY, audio: 80_000, file: 80_000 },
];

/** What a file of unknown size is taken for. */
const unknownBytes = 1_000_000;

/** Bytes of text that cost one token at most. */
const bytesOfTextToken = 2;

/** Media types whose files hold text, suffixes such as `+json` (RFC 6838) included. */
const textTypes =
  /^text\/|[/+](?:json|json5|jsonl|ndjson|xml|yaml|toml|sql|javascript|typescript|x-sh)\b/;

/**
 * Tokens of an image, a recording, a document: by its kind and the class of its size, since services
 * look at pictures, seconds and pages, never at the Base64. Text files cost what their text does.
 */
export function estimateMediaTokens(content: DataContent | UriContent | HostedFileContent): number {
  const mediaType = (content.mediaType ?? '').toLowerCase();
  const [family = ''] = mediaType.split('/');
  if (family === 'image') return imageTokens;
  const bytes = content.type === 'data' ? Math.ceil((content.data.length * 3) / 4) : undefined;
  if (textTypes.test(mediaType) && bytes !== undefined) return Math.ceil(bytes / bytesOfTextToken);
  const size = sizeClasses.find((sizeClass) => (bytes ?? unknownBytes) <= sizeClass.bytes);
  const streamed = family === 'audio' || family === 'video';
  return (streamed ? size?.audio : size?.file) ?? imageTokens;
}
