import type { Content, ReasoningContent, ToolResultContent } from '@minne/core';
import { estimateMediaTokens } from './media-tokens.js';

/** Tokens that are sent with a tool call beside its name and arguments: id and separators. */
const callOverhead = 12;
/** Tokens that are sent with a tool result beside its value: id and separators. */
const resultOverhead = 8;
/** Characters of sealed reasoning that stand for one token at most: Base64 of about 4 characters of text. */
const sealedLength = 4;

/**
 * Tokens of a content, given how many a text costs. Contents that are sent to no model cost nothing:
 * approvals, usage, errors, types of a later version.
 */
export function contentTokens(content: Content, textTokens: (text: string) => number): number {
  switch (content.type) {
    case 'text':
      return textTokens(content.text);
    case 'reasoning':
      return reasoningTokens(content, textTokens);
    case 'data':
    case 'uri':
    case 'hosted_file':
      return estimateMediaTokens(content);
    case 'tool_call':
      return callOverhead + textTokens(content.name) + textTokens(content.arguments);
    case 'tool_result':
      return resultOverhead + textTokens(resultText(content));
    default:
      return 0;
  }
}

/** What a model is sent of a result. */
export function resultText({ result, error }: ToolResultContent): string {
  if (error !== undefined) return error;
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}

/** The readable part often tells in short what the sealed part holds; the larger one counts. */
function reasoningTokens(
  { text, protectedData }: ReasoningContent,
  textTokens: (text: string) => number,
): number {
  return Math.max(textTokens(text), Math.ceil((protectedData?.length ?? 0) / sealedLength));
}
