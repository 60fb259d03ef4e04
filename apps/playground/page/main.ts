import { Api, ApiError } from './api.js';
import { find } from './dom.js';
import { forgetToken, keptToken, signInFromAddress } from './token.js';
import { Workspace } from './workspace.js';

const gate = find('gate', HTMLElement);
const workspace = find('workspace', HTMLElement);

/** Signs in and opens the workspace, or says how to. */
async function start(): Promise<void> {
  try {
    const token = (await signInFromAddress()) ?? keptToken();
    if (token === undefined) return showGate('You are not signed in here.');
    const api = new Api(token);
    workspace.hidden = false;
    await Workspace.open(api, signedOut);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return signedOut(error.message);
    showGate(error instanceof Error ? error.message : String(error));
  }
}

function signedOut(message: string): void {
  forgetToken();
  showGate(message);
}

function showGate(message: string): void {
  workspace.hidden = true;
  gate.hidden = false;
  find('gate-message', HTMLElement).textContent = message;
}

// A new link that is opened in this tab changes only the fragment of the address.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) location.reload();
});
await start();
