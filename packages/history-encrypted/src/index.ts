export { EncryptedHistoryBackend } from './encrypted-history-backend.js';
export type {
  EncryptedHistoryOptions,
  EncryptionCryptoKey,
  EncryptionKey,
  KeyProvider,
} from './encrypted-history-options.js';
