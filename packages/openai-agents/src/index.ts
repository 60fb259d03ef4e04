export { MinneSession } from './minne-session.js';
export type { MinneSessionOptions } from './minne-session-options.js';
