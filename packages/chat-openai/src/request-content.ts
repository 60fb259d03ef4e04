import type { Content, JsonValue, ToolResultContent } from '@minne/core';
import type { WireContentPart, WireTextPart } from './chat-completion-wire.js';

/** The audio that the service takes (`input_audio.format` of the API reference), by media type. */
const audioFormats: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/** The contents of a user's message as parts. What a model cannot be sent is left out. */
export function userParts(contents: readonly Content[]): WireContentPart[] {
  return contents.flatMap((content): WireContentPart[] => {
    switch (content.type) {
      case 'text':
        return content.text === '' ? [] : [{ type: 'text', text: content.text }];
      case 'data':
        return [dataPart(content.data, content.mediaType, content.name)];
      case 'uri':
        return [uriPart(content.uri, content.mediaType)];
      case 'hosted_file':
        return [{ type: 'file', file: { file_id: content.fileId } }];
      default:
        return [];
    }
  });
}

/** The text contents as parts. */
export function textParts(contents: readonly Content[]): WireTextPart[] {
  return userParts(contents).filter((part) => part.type === 'text');
}

/** One text as a string, which every server takes; anything else as parts. */
export function contentOf<Part extends WireContentPart>(parts: Part[]): string | Part[] {
  const [first, second] = parts;
  return first?.type === 'text' && second === undefined ? first.text : parts;
}

function dataPart(data: string, mediaType: string, name: string | undefined): WireContentPart {
  // Someone may have put a whole data URL where base64 belongs; encoding it again would spoil it.
  const url = data.startsWith('data:') ? data : `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  const format = audioFormats.get(mediaType);
  if (format !== undefined) {
    const base64 = url.slice(url.indexOf(',') + 1);
    return { type: 'input_audio', input_audio: { data: base64, format } };
  }
  const filename = name ?? `file.${mediaType.slice(mediaType.indexOf('/') + 1)}`;
  return { type: 'file', file: { filename, file_data: url } };
}

function uriPart(uri: string, mediaType: string): WireContentPart {
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: uri } };
  if (uri.startsWith('data:')) return dataPart(uri, mediaType, undefined);
  // The service fetches nothing but images, so the model is at least told of the rest.
  return { type: 'text', text: `Attachment (${mediaType}): ${uri}` };
}

/** What the model is told of a tool's result: a string as it is, anything else as JSON, an error as one. */
export function toolResultText({ result, error }: ToolResultContent): string {
  if (error === undefined) return jsonText(result);
  return result === null ? `Error: ${error}` : `Error: ${error}\n${jsonText(result)}`;
}

function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
