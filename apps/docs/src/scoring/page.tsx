import { render } from 'preact';
import { ScoringPage, type Places } from './scoring-page.js';

/** Puts the page into an element. @returns what takes it away again */
export function mount(element: HTMLElement, places: Places): () => void {
  render(<ScoringPage places={places} />, element);
  return () => {
    render(null, element);
  };
}
