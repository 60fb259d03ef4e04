import { InvalidInputError } from '@minne/core';

/** The audio that the service takes (`input_audio.format` of the API reference), by media type. */
const audioFormats: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/** Bytes in a message, as the kinds of part that the service has for them. */
export type Attachment =
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'audio'; readonly base64: string; readonly format: 'wav' | 'mp3' }
  | { readonly kind: 'file'; readonly url: string; readonly filename: string };

/**
 * Sorts bytes by what the service takes them as. Addresses are data URLs.
 * @throws InvalidInputError for bytes that are not base64 text: joined into an address, they would be numbers.
 */
export function attachmentOf(
  data: string,
  mediaType: string,
  name: string | undefined,
): Attachment {
  if (typeof data !== 'string') {
    throw new InvalidInputError(
      'The data of a content must be base64 text. Write bytes down with Buffer.from(bytes).toString("base64").',
      { packageName: '@minne/chat-openai', field: 'messages' },
    );
  }
  // Someone may have put a whole data URL where base64 belongs; encoding it again would spoil it.
  const url = data.startsWith('data:') ? data : `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith('image/')) return { kind: 'image', url };
  const format = audioFormats.get(mediaType);
  if (format !== undefined) {
    return { kind: 'audio', base64: url.slice(url.indexOf(',') + 1), format };
  }
  const filename = name ?? `file.${mediaType.slice(mediaType.indexOf('/') + 1)}`;
  return { kind: 'file', url, filename };
}

/** What a model is told of something that the service does not fetch. */
export function attachmentNote(uri: string, mediaType: string): string {
  return `Attachment (${mediaType}): ${uri}`;
}
