import { find } from './dom.js';

/** In a narrow window one part of the page is seen at a time; this chooses which. */
export class PartSwitch {
  readonly #workspace = find('workspace', HTMLElement);
  readonly #buttons = document.querySelectorAll<HTMLButtonElement>('.views button');

  constructor() {
    for (const button of this.#buttons) {
      button.addEventListener('click', () => this.show(button.dataset['view'] ?? 'chat'));
    }
    this.show('chat');
  }

  show(view: string): void {
    this.#workspace.dataset['view'] = view;
    for (const button of this.#buttons) {
      button.setAttribute('aria-pressed', String(button.dataset['view'] === view));
    }
  }
}
