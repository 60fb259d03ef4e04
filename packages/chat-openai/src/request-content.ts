import type { Content } from '@minne/core';
import { attachmentNote, attachmentOf } from './attachment.js';
import type { WireContentPart, WireTextPart } from './chat-completion-wire.js';

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
  const attachment = attachmentOf(data, mediaType, name);
  switch (attachment.kind) {
    case 'image':
      return { type: 'image_url', image_url: { url: attachment.url } };
    case 'audio': {
      const { base64, format } = attachment;
      return { type: 'input_audio', input_audio: { data: base64, format } };
    }
    case 'file':
      return { type: 'file', file: { filename: attachment.filename, file_data: attachment.url } };
  }
}

function uriPart(uri: string, mediaType: string): WireContentPart {
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: uri } };
  if (uri.startsWith('data:')) return dataPart(uri, mediaType, undefined);
  // The service fetches nothing but images, so the model is at least told of the rest.
  return { type: 'text', text: attachmentNote(uri, mediaType) };
}
