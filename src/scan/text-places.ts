/** A place in its function, as a text alone shows it. */
export interface TextPlaces {
  /**
   * How many characters of words and numbers a function has in front of a place: as many as before where it was only moved or
   * formatted. Offsets are UTF-16 code units.
   */
  wordsBefore(start: number, unit: readonly [number, number]): number;
  /** Whether the text has the code of a function twice; may also be true for a short function whose words are part of others. */
  isCopied(unit: readonly [number, number]): boolean;
}

export function textPlacesIn(text: string): TextPlaces {
  let whole: string | undefined;
  return {
    wordsBefore: (start, [from]) => wordsIn(text.slice(from, start)).length,
    isCopied([from, to]) {
      whole ??= wordsIn(text);
      const words = wordsIn(text.slice(from, to));
      return whole.indexOf(words) !== whole.lastIndexOf(words);
    },
  };
}

function wordsIn(text: string): string {
  return text.replaceAll(/[^\w$]+/g, '');
}
