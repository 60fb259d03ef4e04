import { ChatClientError, isJsonObject, type JsonObject, MinneError } from '@minne/core';
import { objectOf, textOf } from './read-json.js';
import { connectionReason, serviceText, serviceWords } from './service-words.js';

/** What is known of a call that failed. */
export interface FailedCall {
  /** The API that was called. */
  readonly api: 'Chat Completions' | 'Responses';
  readonly modelId: string;
  /** Where the service is, without credentials. */
  readonly address: string | undefined;
  /** The key, to be kept out of every message. */
  readonly secret: string | undefined;
}

interface Failure {
  readonly message: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly field?: string;
}

/** An error that came as the body of a successful answer, in the shape in which the `openai` package throws them. */
export function reportedError(error: JsonObject): Error {
  return Object.assign(new Error(textOf(error['message']) ?? JSON.stringify(error)), { error });
}

/**
 * An error of the `openai` package, or of the connection under it, as a {@link ChatClientError} that
 * says what to do. Told apart by their fields: a user's own client may come from another copy of
 * `openai`. Errors of Minne pass as they are.
 */
export function chatClientError(error: unknown, call: FailedCall): MinneError {
  if (MinneError.isInstance(error)) return error;
  const { message, ...rest } = describe(error, call);
  return new ChatClientError(hide(message, call.secret), {
    packageName: '@minne/chat-openai',
    cause: withoutSecret(error, call.secret),
    ...rest,
  });
}

function describe(error: unknown, call: FailedCall): Failure {
  const where = call.address === undefined ? 'The service' : `The service at ${call.address}`;
  const { status, error: reported } = objectOf(error);
  if (typeof status === 'number') return describeStatus(error, status, where, call);
  // In a stream, what the request is refused for comes as an event, without a status.
  if (isTooLong(error, undefined, serviceText(error)))
    return tooLong(error, undefined, where, call);
  if (isJsonObject(reported)) {
    // Gateways put the status that they got themselves into the code.
    const code = Number(reported['code']);
    if (code >= 400 && code < 600) return describeStatus(error, code, where, call);
    const message = `${where} broke off with an error: ${serviceText(error)}`;
    return isLasting(error) ? { message } : { message: `${message} Try again.`, retryable: true };
  }
  if (error instanceof SyntaxError) {
    return {
      message: `${where} sent something that is not JSON. The answer may have been cut on its way; try again.`,
      retryable: true,
    };
  }
  const reason = connectionReason(error);
  if (reason !== undefined && /timed out/i.test(reason)) {
    return {
      message: `${where} did not answer in time (${reason}). Check that it runs and that the base URL is right, raise the option timeout, or try again.`,
      field: 'timeout',
      retryable: true,
    };
  }
  if (reason !== undefined) {
    return {
      message: `${where} could not be reached, or the connection broke off (${reason}). Check that it runs and that the base URL is right, then try again.`,
      retryable: true,
    };
  }
  if (error instanceof TypeError || /response with no body/i.test(serviceText(error))) {
    // What the `openai` package throws over an answer that it cannot look into: a page for people, null, nothing.
    return {
      message: `${where} answered with something that is no answer of the ${call.api} API: ${serviceText(error)} Check that the base URL leads to an API that speaks ${call.api}; it usually ends in /v1.`,
      field: 'baseUrl',
    };
  }
  return { message: `The call to the model failed: ${serviceText(error)}` };
}

function describeStatus(error: unknown, status: number, where: string, call: FailedCall): Failure {
  const text = serviceText(error);
  if (status === 401) {
    // The service repeats parts of the key in its own words, so they are not passed on.
    return {
      message: `${where} did not accept the API key (401). Check the option apiKey, or the environment variable OPENAI_API_KEY, and that the key is one of this service.`,
      status,
      field: 'apiKey',
    };
  }
  if (isTooLong(error, status, text)) return tooLong(error, status, where, call);
  const conversation = describeConversation(error, status, where, text);
  if (conversation !== undefined) return conversation;
  if (status === 404) {
    const aboutModel = /model/i.test(`${serviceWords(error)} ${text}`);
    return aboutModel
      ? {
          message: `${where} has no model "${call.modelId}" for this key (404): ${text} Check the option modelId.`,
          status,
          field: 'modelId',
        }
      : {
          message: `${where} has no ${call.api} API there (404): ${text} Check the base URL; it usually ends in /v1.`,
          status,
          field: 'baseUrl',
        };
  }
  if (status === 429) {
    return isLasting(error)
      ? {
          message: `${where} says that the account is used up (429): ${text} Trying again does not help; check its plan and billing.`,
          status,
        }
      : {
          message: `${where} wants fewer requests or tokens (429): ${text} Wait and try again, send less at once, or raise the option maxRetries.`,
          status,
          retryable: true,
        };
  }
  if (status >= 500 || status === 408 || status === 409) {
    return { message: `${where} failed (${status}): ${text} Try again.`, status, retryable: true };
  }
  const param = textOf(objectOf(error)['param']);
  return {
    message: `${where} refused the request (${status}${param === undefined ? '' : `, ${param}`}): ${text}`,
    status,
    ...(param === undefined ? {} : { field: param }),
  };
}

/** What went wrong with the conversation that the service keeps, if that is what went wrong. */
function describeConversation(
  error: unknown,
  status: number,
  where: string,
  text: string,
): Failure | undefined {
  const words = serviceWords(error);
  const lost =
    words.includes('previous_response_not_found') ||
    /^(previous response|response|conversation) with id .* not found/i.test(text);
  if (lost) {
    return {
      message: `${where} does not have the conversation that was to be continued (${status}): ${text} It may have expired or been deleted, belong to another project, or never have been kept. Go on in a session without serviceSessionId (agent.clearSession forgets it), or keep the history yourself: with store: false, or a history provider.`,
      status,
      field: 'serviceSessionId',
    };
  }
  const { param } = objectOf(error);
  const misnamed = param === 'previous_response_id' || param === 'conversation';
  if (misnamed && /invalid_(value|id)/.test(words)) {
    return {
      message: `${where} does not take the id of the conversation (${status}): ${text} Give the serviceSessionId that an answer named, or go on in a session without one (agent.clearSession forgets it).`,
      status,
      field: 'serviceSessionId',
    };
  }
  if (words.includes('conversation_locked')) {
    return {
      message: `${where} is still answering in this conversation (${status}): ${text} Wait for the other run, then try again.`,
      status,
      field: 'serviceSessionId',
      retryable: true,
    };
  }
  if (/^no tool output found for function call/i.test(text)) {
    return {
      message: `${where} holds a tool call that was never answered (${status}): ${text} Give its result as a tool message, or go on in a session without serviceSessionId (agent.clearSession forgets it).`,
      status,
      field: 'messages',
    };
  }
  if (words.includes('invalid_encrypted_content')) {
    return {
      message: `${where} cannot read the reasoning that was sent back (${status}): ${text} It is of use only to the organisation and model that it came from. Set the option encryptedReasoning to false, so that it is left out.`,
      status,
      field: 'encryptedReasoning',
    };
  }
  return undefined;
}

function tooLong(
  error: unknown,
  status: number | undefined,
  where: string,
  { modelId }: FailedCall,
): Failure {
  return {
    message: `${where} says that the conversation is longer than the model "${modelId}" takes${status === undefined ? '' : ` (${status})`}: ${serviceText(error)} Send less of it, for example with the option limit of the history provider, or begin a new session.`,
    field: 'messages',
    ...(status === undefined ? {} : { status }),
  };
}

/** Whether the service says that the messages are too many. Codes and words differ from server to server. */
function isTooLong(error: unknown, status: number | undefined, text: string): boolean {
  if (serviceWords(error).includes('context_length_exceeded')) return true;
  if (status !== 400 && status !== 413) return false;
  return /context (length|window|size)|prompt is too long|too many (input )?tokens/i.test(text);
}

/** Whether trying again cannot help, although the kind of error would allow it. */
function isLasting(error: unknown): boolean {
  return /insufficient_quota|invalid_|content_filter|_policy|image_|_image|unsupported_/.test(
    serviceWords(error),
  );
}

function hide(text: string, secret: string | undefined): string {
  const hidden =
    secret === undefined || secret.length < 4 ? text : text.replaceAll(secret, '[key]');
  return hidden.replace(/\bsk-[\w*-]{8,}/g, '[key]');
}

/** The error itself, unless it repeats the key: then what it said without it. */
function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (!(error instanceof Error) || secret === undefined || secret.length < 4) return error;
  const said = `${error.message}${JSON.stringify(objectOf(error)['error']) ?? ''}`;
  return said.includes(secret) ? new Error(hide(error.message, secret)) : error;
}
