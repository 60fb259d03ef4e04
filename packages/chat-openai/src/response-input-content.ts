import type { Content } from '@minne/core';
import { attachmentNote, attachmentOf } from './attachment.js';
import type { ResponseInputPart } from './response-wire.js';

/** The contents of a user's message as parts. What a model cannot be sent is left out. */
export function inputParts(contents: readonly Content[]): ResponseInputPart[] {
  return contents.flatMap((content): ResponseInputPart[] => {
    switch (content.type) {
      case 'text':
        return content.text === '' ? [] : [{ type: 'input_text', text: content.text }];
      case 'data':
        return [dataPart(content.data, content.mediaType, content.name)];
      case 'uri':
        return [uriPart(content.uri, content.mediaType)];
      case 'hosted_file':
        return [
          content.mediaType?.startsWith('image/')
            ? { type: 'input_image', detail: 'auto', file_id: content.fileId }
            : { type: 'input_file', file_id: content.fileId },
        ];
      default:
        return [];
    }
  });
}

/** One text as a string, which every server takes; anything else as parts. */
export function inputContent(parts: ResponseInputPart[]): string | ResponseInputPart[] {
  const [first, second] = parts;
  return first?.type === 'input_text' && second === undefined ? first.text : parts;
}

function dataPart(data: string, mediaType: string, name: string | undefined): ResponseInputPart {
  const attachment = attachmentOf(data, mediaType, name);
  switch (attachment.kind) {
    case 'image':
      return { type: 'input_image', detail: 'auto', image_url: attachment.url };
    case 'audio': {
      const { base64, format } = attachment;
      return { type: 'input_audio', input_audio: { data: base64, format } };
    }
    case 'file':
      return { type: 'input_file', filename: attachment.filename, file_data: attachment.url };
  }
}

function uriPart(uri: string, mediaType: string): ResponseInputPart {
  if (mediaType.startsWith('image/')) {
    return { type: 'input_image', detail: 'auto', image_url: uri };
  }
  if (uri.startsWith('data:')) return dataPart(uri, mediaType, undefined);
  if (/^https?:/.test(uri)) return { type: 'input_file', file_url: uri };
  return { type: 'input_text', text: attachmentNote(uri, mediaType) };
}
