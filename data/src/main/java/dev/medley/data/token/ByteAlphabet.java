package dev.medley.data.token;

import java.util.Arrays;

/**
 * Writes each byte as a visible character, as GPT-2's vocabulary does (Radford et al. 2019):
 * visible Latin-1 characters stand for themselves, all others follow from U+0100 on.
 */
final class ByteAlphabet {
    static final int SIZE = 256;

    private static final char[] CHARACTERS = new char[SIZE];
    private static final int[] BYTES = new int[2 * SIZE];

    static {
        Arrays.fill(BYTES, -1);
        int next = SIZE;
        for (int b = 0; b < SIZE; b++) {
            boolean isVisible =
                    (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
            CHARACTERS[b] = (char) (isVisible ? b : next++);
            BYTES[CHARACTERS[b]] = b;
        }
    }

    private ByteAlphabet() {}

    /** The character of a byte from 0 to 255. */
    static char character(int value) {
        return CHARACTERS[value];
    }

    /** The byte of a character; -1 for one that is none. */
    static int value(char character) {
        return character < BYTES.length ? BYTES[character] : -1;
    }
}
