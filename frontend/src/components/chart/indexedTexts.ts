/** Texts by the order in which they were first seen: a scene names its colours and its labels by number. */
export class IndexedTexts {
  readonly all: string[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    this.#indices.set(text, this.all.length);
    this.all.push(text);
    return this.all.length - 1;
  }
}
