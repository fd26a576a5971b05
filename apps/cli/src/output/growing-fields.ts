import { textAsJson, valuesAsJson } from './json-pieces.js';
import { KeptText } from './kept-text.js';

interface Field {
  readonly kept: KeptText;
  readonly marks: readonly [begin: string, end: string];
}

/** Fields of a document that have something of every row, a text or lists: they grow while the rows come. */
export class GrowingFields {
  readonly #fields = new Map<string, Field>();

  async addText(name: string, text: string): Promise<void> {
    await this.#field(name, ['"', '"']).kept.add(textAsJson(text));
  }

  async addValues(name: string, values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const { kept } = this.#field(name, ['[', ']']);
    await kept.add((kept.isEmpty ? '' : ',') + valuesAsJson(values));
  }

  /** Of each field that anything was added to, its JSON. */
  inPieces(): Record<string, AsyncIterable<string>> {
    return Object.fromEntries([...this.#fields].map(([name, field]) => [name, piecesOf(field)]));
  }

  async remove(): Promise<void> {
    for (const { kept } of this.#fields.values()) await kept.remove();
    this.#fields.clear();
  }

  #field(name: string, marks: Field['marks']): Field {
    const field = this.#fields.get(name) ?? { kept: new KeptText(), marks };
    this.#fields.set(name, field);
    return field;
  }
}

async function* piecesOf({ kept, marks: [begin, end] }: Field): AsyncGenerator<string, void> {
  yield begin;
  yield* kept.pieces();
  yield end;
}
